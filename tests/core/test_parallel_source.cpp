// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed files of many parts: decompressed on several threads they give what one thread gives, damaged or not.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <random>

#include <zstd.h>

#include "core/base/output_file.h"
#include "core/input/bytes/inflate_points.h"
#include "core/input/bytes/parallel_source.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_source.h"

namespace rankscope::parallel_source_test {

namespace fs = std::filesystem;

class TestParallelSource : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path file(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

    void write(const fs::path& path, const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
    std::string gzipped(const std::string& text) const {
        OutputFile out(file("scratch"), true);
        out.write(text);
        if (!out.commit())
            qFatal("cannot write the scratch file");
        std::ifstream in(file("scratch"), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::string framed(const std::string& text) {
        std::string out(ZSTD_compressBound(text.size()), '\0');
        out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
        return out;
    }
    /// Hard to compress, so that a megabyte of file comes together; here and there it looks like a gzip header.
    static std::string sample(std::size_t size, unsigned seed) {
        std::mt19937 random(seed);
        std::string text;
        while (text.size() < size) {
            if (random() % 5000 == 0)
                text += std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03\x01\x02\x03\x04\x05\x06\x07\x08", 18);
            const auto word = random();
            text.append(reinterpret_cast<const char*>(&word), random() % 3 == 0 ? 4 : 2);
            text += "\"ts\": ";
        }
        return text;
    }

private Q_SLOTS:
    void itGivesTheSameAsOneThread_data() {
        QTest::addColumn<QByteArray>("content");
        std::string members, frames, text;
        for (unsigned i = 0; i < 120; ++i) {
            text = sample(i % 7 == 0 ? 200'000 : 40'000, i);
            members += gzipped(text);
            frames += framed(text);
        }
        const std::string two = gzipped(sample(3'000'000, 1)) + gzipped(sample(5'000'000, 2));
        const auto row = [](const char* name, const std::string& content) {
            QTest::newRow(name) << QByteArray(content.data(), static_cast<qsizetype>(content.size()));
        };
        QVERIFY(members.size() > 2'000'000);
        row("gzip members", members);
        row("two large members", two);
        row("one member", gzipped(sample(6'000'000, 3)));
        row("zstd frames", frames);
        row("one zstd frame", framed(sample(6'000'000, 4)));
        row("zeros behind", members + std::string(5000, '\0'));
        row("something else behind", members + "and this is no gzip, whatever it is; certainly not a member");
        row("cut in a member", members.substr(0, members.size() * 2 / 3 + 17));
        row("cut in a frame", frames.substr(0, frames.size() / 2 + 11));
        std::string damaged = members;
        for (std::size_t at = damaged.size() / 2; at < damaged.size() / 2 + 40; ++at)
            damaged[at] = static_cast<char>(~damaged[at]);
        row("damaged in the middle", damaged);
        damaged = frames;
        damaged[frames.size() / 2] = static_cast<char>(~damaged[frames.size() / 2]);
        row("a damaged frame", damaged);
        row("no compression", sample(2'000'000, 5));
    }
    void itGivesTheSameAsOneThread() {
        QFETCH(QByteArray, content);
        write(file("input"), content.toStdString());
        const WholeSource expected = read_whole(open_byte_source(file("input")), 65536);
        for (const int threads : {1, 2, 4})
            for (const std::size_t piece : {std::size_t{7000}, std::size_t{1} << 20}) {
                const WholeSource found = read_whole(open_parallel_source(file("input"), threads), piece);
                QVERIFY(found.text == expected.text);
                QCOMPARE(found.damage, expected.damage);
            }
    }

    void itCanBeLeftBeforeTheEnd() {
        std::string members;
        for (unsigned i = 0; i < 200; ++i)
            members += gzipped(sample(40'000, i));
        write(file("left"), members);
        for (int i = 0; i < 20; ++i) {
            auto source = open_parallel_source(file("left"), 4);
            QVERIFY(source);
            std::string buffer(100'000, '\0');
            QCOMPARE((*source)->read(buffer), buffer.size());
        }
    }

    void pointsLeadIntoTheMiddle() {
        const std::string part = std::string(9'000'000, 'x') + sample(1'000'000, 1);
        std::string members;
        for (int i = 0; i < 10; ++i)
            members += gzipped(part);
        write(file("points"), members);
        const auto points = std::make_shared<const InflatePoints>();
        const WholeSource all = read_whole(open_parallel_source(file("points"), 4, points), 1 << 20);
        QVERIFY(points->before(all.text.size())->text_offset >= 64'000'000);
        for (const std::size_t offset : {std::size_t{5}, std::size_t{40'000'123}, all.text.size() - 100}) {
            auto source = open_byte_source(file("points"));
            (*source)->save_points(points);
            (*source)->skip(offset);
            std::string buffer(100, '\0');
            QCOMPARE((*source)->read(buffer), buffer.size());
            QCOMPARE(buffer, all.text.substr(offset, 100));
        }
    }
};

RANKSCOPE_TEST(TestParallelSource)

} // namespace rankscope::parallel_source_test

#include "test_parallel_source.moc"
