// SPDX-License-Identifier: GPL-3.0-or-later
// Plain, gzip and zstd files give the same bytes; damaged ones give what is good and say what is wrong.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <random>

#include <sys/stat.h>
#include <zstd.h>

#include "core/base/output_file.h"
#include "core/input/bytes/file_start.h"
#include "tests/support/test_program.h"
#include "tests/support/whole_source.h"

namespace rankscope::byte_source_test {

namespace fs = std::filesystem;

namespace {

std::string sample_text(std::size_t size) {
    std::mt19937 random(3);
    std::string text;
    while (text.size() < size)
        text += "event " + std::to_string(random() % 100000) + ", ";
    return text;
}

void write_bytes(const fs::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string gzipped(const fs::path& scratch, std::string_view text) {
    OutputFile file(scratch, true);
    file.write(text);
    if (!file.commit())
        qFatal("cannot write the scratch file");
    return read_bytes(scratch);
}

std::string zstd_compressed(std::string_view text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

} // namespace

class TestByteSource : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path file(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

private Q_SLOTS:
    void everyCompressionGivesTheSameBytes() {
        const std::string text = sample_text(3'000'000);
        write_bytes(file("plain"), text);
        write_bytes(file("one.gz"), gzipped(file("scratch"), text));
        const std::string half = text.substr(0, text.size() / 2);
        const std::string rest = text.substr(half.size());
        write_bytes(file("members.gz"), gzipped(file("scratch"), half) + gzipped(file("scratch"), rest));
        write_bytes(file("padded.gz"), gzipped(file("scratch"), text) + std::string(700, '\0'));
        write_bytes(file("padded_between.gz"), gzipped(file("scratch"), half) + std::string(700'000, '\0') +
                                                   gzipped(file("scratch"), rest) + std::string(3, '\0'));
        write_bytes(file("followed.gz"), gzipped(file("scratch"), text) + std::string("\0\n", 2));
        write_bytes(file("one.zst"), zstd_compressed(text));
        // pzstd starts each frame with one that is to be skipped.
        const std::string skipped("\x50\x2A\x4D\x18\x04\x00\x00\x00size", 12);
        write_bytes(file("skipped.zst"), skipped + zstd_compressed(half) + skipped + zstd_compressed(rest));
        write_bytes(file("frames.zst"), zstd_compressed(half) + zstd_compressed(rest));
        for (const char* name : {"plain", "one.gz", "members.gz", "padded.gz", "padded_between.gz", "followed.gz",
                                 "one.zst", "frames.zst", "skipped.zst"})
            for (const std::size_t piece : {std::size_t{1000}, std::size_t{65536}, std::size_t{10'000'000}}) {
                const WholeSource all = read_whole(open_byte_source(file(name)), piece);
                QVERIFY2(all.text == text, name);
                QVERIFY2(all.damage.empty(), all.damage.c_str());
            }
    }

    /// Six formats look at each of 200 000 small files.
    void aSmallFileIsOpenedOnce() {
        write_bytes(file("small"), "first");
        write_bytes(file("large"), std::string(70'000, 'a'));
        const FileStart small(file("small"));
        const FileStart large(file("large"));
        QCOMPARE(read_whole(small.open(), 3).text, std::string("first"));
        QCOMPARE(read_whole(large.open(), 1000).text, std::string(70'000, 'a'));
        write_bytes(file("small"), "second");
        write_bytes(file("large"), std::string(80'000, 'b'));
        QCOMPARE(read_whole(small.open(), 1000).text, std::string("first"));
        QCOMPARE(read_whole(large.open(), 1000).text, std::string(80'000, 'b'));
        QVERIFY(!FileStart(file("none")).open());
        write_bytes(file("small"), "");
        QCOMPARE(read_whole(FileStart(file("small")).open(), 1000).text, std::string());
    }

    /// Whoever writes faster than we read would keep us for ever.
    void whatIsAppendedLaterIsNotRead() {
        for (const std::size_t size : {std::size_t{10}, std::size_t{3'000'000}}) {
            const std::string text = sample_text(size);
            for (const std::string& bytes : {text, gzipped(file("scratch"), text), zstd_compressed(text)}) {
                write_bytes(file("growing"), bytes);
                auto source = open_byte_source(file("growing"));
                QVERIFY(source);
                std::ofstream(file("growing"), std::ios::app | std::ios::binary) << bytes << "more";
                const WholeSource all = read_whole(std::move(source), 1000);
                QVERIFY2(all.text == text && all.damage.empty(), all.damage.c_str());
                QCOMPARE((*open_byte_source(file("growing")))->file_bytes(), 2 * bytes.size() + 4);
            }
        }
    }

    void whyTextIsUnknownIsSaid() {
        write_bytes(file("a"), gzipped(file("scratch"), gzipped(file("scratch2"), "{}")));
        QCOMPARE(english(odd_content(file("a"))), std::string("it is compressed twice; decompress it once"));
        write_bytes(file("a"), gzipped(file("scratch"), zstd_compressed("{}")));
        QCOMPARE(english(odd_content(file("a"))), std::string("it is compressed twice; decompress it once"));
        for (const char* mark : {"\xFF\xFE", "\xFE\xFF"}) {
            write_bytes(file("a"), mark + std::string("{\0}\0", 4));
            QCOMPARE(english(odd_content(file("a"))), std::string("it is UTF-16; convert it to UTF-8"));
        }
        // A frame of zstd with a window of 2 GB, as --long=31 writes.
        write_bytes(file("a"), std::string("\x28\xB5\x2F\xFD\x00\xA8\x01\x00\x00", 9));
        QVERIFY2(english(odd_content(file("a"))).find("--long") != std::string::npos,
                 english(odd_content(file("a"))).c_str());
        for (const std::string& usual : {std::string("{}"), std::string(), gzipped(file("scratch"), "{}")}) {
            write_bytes(file("a"), usual);
            QCOMPARE(english(odd_content(file("a"))), std::string());
        }
    }

    void compressionIsToldByTheFirstBytesNotTheName() {
        write_bytes(file("misnamed.json"), gzipped(file("scratch"), "hello"));
        QCOMPARE(read_whole(open_byte_source(file("misnamed.json")), 100).text, std::string("hello"));
        write_bytes(file("plain.gz"), "hello");
        QCOMPARE(read_whole(open_byte_source(file("plain.gz")), 100).text, std::string("hello"));
    }

    void cutFilesGiveAPrefixAndSaySo() {
        const std::string text = sample_text(400'000);
        for (const std::string& whole : {gzipped(file("scratch"), text), zstd_compressed(text)})
            for (const double part : {0.01, 0.3, 0.7, 0.999}) {
                write_bytes(file("cut"), std::string_view(whole).substr(
                                             0, static_cast<std::size_t>(static_cast<double>(whole.size()) * part)));
                const WholeSource all = read_whole(open_byte_source(file("cut")), 4096);
                QVERIFY(text.starts_with(all.text));
                QVERIFY(all.text.size() < text.size());
                QCOMPARE(all.damage, std::string("compressed data end early"));
            }
    }

    void damagedBytesEndTheTextThere() {
        const std::string text = sample_text(400'000);
        std::string broken = gzipped(file("scratch"), text);
        for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 64; ++i)
            broken[i] = static_cast<char>(~broken[i]);
        write_bytes(file("broken.gz"), broken);
        const WholeSource all = read_whole(open_byte_source(file("broken.gz")), 4096);
        QVERIFY(!all.damage.empty());
        QVERIFY(all.text.size() < text.size() + 65536);
    }

    void foldersAndFifosAreRefusedAtOnce() {
        QVERIFY(!open_byte_source(folder_.path().toStdString()));
        QCOMPARE(::mkfifo(file("fifo").c_str(), 0600), 0);
        QVERIFY(!open_byte_source(file("fifo"))); // and does not wait for a writer
        QVERIFY(!open_byte_source(file("absent")));
    }

    void skippingPassesOverBytes() {
        const std::string text = sample_text(300'000);
        write_bytes(file("plain2"), text);
        write_bytes(file("two.gz"), gzipped(file("scratch"), text));
        for (const char* name : {"plain2", "two.gz"}) {
            auto source = open_byte_source(file(name));
            QVERIFY(source.has_value());
            (*source)->skip(123'456);
            std::string buffer(100, '\0');
            QCOMPARE((*source)->read(buffer), buffer.size());
            QCOMPARE(buffer, text.substr(123'456, 100));
        }
    }
};

RANKSCOPE_TEST(TestByteSource)

} // namespace rankscope::byte_source_test

#include "test_byte_source.moc"
