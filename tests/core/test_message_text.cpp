// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the program's own, in English and in another language.
#include <map>

#include <QtTest>

#include "core/base/message.h"
#include "core/base/words.h"
#include "tests/support/test_program.h"

using namespace rankscope;

namespace {

/// English -> one of one, many.
using Dictionary = std::map<std::string, std::pair<std::string, std::string>>;

std::string said(const Message& message, const Dictionary& dictionary) {
    return message.in([&](const std::string& english, std::optional<std::int64_t> count) {
        const auto found = dictionary.find(english);
        if (found == dictionary.end())
            return std::string();
        return count == 1 ? found->second.first : found->second.second;
    });
}

} // namespace

class TestMessageText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesHaveAtMostFourDigitsAndAUnitThatFits() {
        QCOMPARE(time_words(293.512e6), std::string("293.5 ms"));
        QCOMPARE(time_words(15.774e6), std::string("15.77 ms"));
        QCOMPARE(time_words(99.996e6), std::string("100.0 ms"));
        QCOMPARE(time_words(999.96e6), std::string("1.00 s"));
        QCOMPARE(time_words(999.7e3), std::string("1.00 ms"));
        QCOMPARE(time_words(2.214e9), std::string("2.21 s"));
        QCOMPARE(time_words(2.1734e9, 3), std::string("2.173 s"));
        QCOMPARE(time_words(90), std::string("90 ns"));
        QCOMPARE(time_words(0), std::string("0 µs"));
    }
    void placesAreFilled() {
        QCOMPARE(english("Rank %1 waits %2"_text(3, time_words(1.5e6))), std::string("Rank 3 waits 1.50 ms"));
        QCOMPARE(english("a step takes %1 %"_text(62)), std::string("a step takes 62 %"));
        const Message none = "nothing"_text;
        QCOMPARE(english(none), std::string("nothing"));
        QCOMPARE(english(Message()), std::string());
        QVERIFY(Message(std::string()).empty()); // a reason that there is none
    }

    /// A name is never taken for a text: not its places, not its braces, and it is not translated.
    void namesStayAsTheyAre() {
        const Dictionary dictionary{{"in %1 of %2", {"", "in %2: %1"}}, {"idle", {"", "untätig"}}};
        const Message message = "in %1 of %2"_text(std::string("100 %2 {} %s"), std::string("idle"));
        QCOMPARE(english(message), std::string("in 100 %2 {} %s of idle"));
        QCOMPARE(said(message, dictionary), std::string("in idle: 100 %2 {} %s"));
        QCOMPARE(said(Message::word("idle"), dictionary), std::string("untätig"));
        QCOMPARE(english(Message::word("100 %1")), std::string("100 %1")); // a word has no places
    }

    void whatIsNotTranslatedIsChanged() {
        const Dictionary dictionary{{"%1 is no file: %2", {"", "%1 ist keine Datei: %2"}}, {"mirror", {"", "Spiegel"}}};
        Message message = "%1 is no file: %2"_text(std::string("/mirror/a"), "mirror"_text());
        message += std::string(" in /mirror");
        const Message changed = message.with_given(
            [](const std::string& text) { return text.starts_with('/') ? "ssh://host/a" : text + '!'; });
        QCOMPARE(english(changed), std::string("ssh://host/a is no file: mirror in /mirror!"));
        QCOMPARE(said(changed, dictionary), std::string("ssh://host/a ist keine Datei: Spiegel in /mirror!"));
    }

    void messagesAreNestedAndTranslatedEach() {
        const Dictionary dictionary{{"%1 a step", {"", "%1 je Schritt"}},
                                    {"its host takes %1 longer", {"", "sein Host braucht %1 länger"}},
                                    {"Rank %1 is slow: %2", {"", "%2 (Rang %1)"}},
                                    {"; since step %1", {"", "; seit Schritt %1"}}};
        Message message =
            "Rank %1 is slow: %2"_text(5, "its host takes %1 longer"_text("%1 a step"_text(std::string("2 ms"))));
        message += "; since step %1"_text(14);
        message += '.';
        QCOMPARE(english(message), std::string("Rank 5 is slow: its host takes 2 ms a step longer; since step 14."));
        QCOMPARE(said(message, dictionary),
                 std::string("sein Host braucht 2 ms je Schritt länger (Rang 5); seit Schritt 14."));
    }

    void countsHaveForms() {
        const Dictionary dictionary{{"%1 ranks wait", {"%1 Rang wartet", "%1 Ränge warten"}}};
        const auto waiting = [](std::size_t count) {
            return plural(count, "%1 rank waits"_one, "%1 ranks wait"_many)(count);
        };
        QCOMPARE(english(waiting(1)), std::string("1 rank waits"));
        QCOMPARE(english(waiting(0)), std::string("0 ranks wait"));
        QCOMPARE(said(waiting(1), dictionary), std::string("1 Rang wartet"));
        QCOMPARE(said(waiting(3), dictionary), std::string("3 Ränge warten"));
        QCOMPARE(said(waiting(1), {}), std::string("1 rank waits")); // not translated
        QCOMPARE(english(rank_words({3})), std::string("rank 3"));
        QCOMPARE(english(rank_words({3, 5})), std::string("ranks 3 and 5"));
    }

    void listsAreTranslated() {
        const Dictionary dictionary{{"%1 and %2", {"", "%1 und %2"}}, {"%1 to %2", {"", "%1 bis %2"}}};
        const std::vector<int> ranks{0, 1, 2, 3, 6, 8, 9};
        QCOMPARE(english(rank_numbers(ranks)), std::string("0 to 3, 6, 8 and 9"));
        QCOMPARE(said(rank_numbers(ranks), dictionary), std::string("0 bis 3, 6, 8 und 9"));
        QCOMPARE(english(listed({}, "%1 or %2"_text)), std::string());
    }

    void clausesFollowEachOther() {
        Message message;
        message += Message();
        QVERIFY(message.empty());
        message += "a"_text();
        QCOMPARE(message, Message("a"_text));
        const Message copy = message;
        message += "b"_text();
        QCOMPARE(english(message), std::string("ab"));
        Message twice = message;
        twice += copy;
        twice += message;
        QCOMPARE(english(twice), std::string("abaab"));
        QCOMPARE(english(std::vector<Message>{copy, message}), (std::vector<std::string>{"a", "ab"}));
    }

    void sentencesStartWithACapitalAndEndWithAStop() {
        const Message message = "idle in %1"_text(3).as_sentence();
        QCOMPARE(english(message), std::string("Idle in 3."));
        QCOMPARE(said(message, {{"idle in %1", {"", "über %1."}}}), std::string("Über 3."));
        QCOMPARE(english(Message(std::string("3 × a.")).as_sentence()), std::string("3 × a."));
        QCOMPARE(english(Message(std::string("\xC3")).as_sentence()), std::string("\xC3.")); // half a letter
    }

    void aTranslationMayLackPlacesOrHaveTooMany() {
        const Dictionary dictionary{{"once in %1 steps", {"", "einmal"}}, {"%1 waits", {"", "%1 wartet %2 %"}}};
        QCOMPARE(said("once in %1 steps"_text(6), dictionary), std::string("einmal"));
        QCOMPARE(said("%1 waits"_text(6), dictionary), std::string("6 wartet %2 %"));
    }
};

RANKSCOPE_TEST(TestMessageText)
#include "test_message_text.moc"
