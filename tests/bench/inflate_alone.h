// SPDX-License-Identifier: GPL-3.0-or-later
// What bounds any reader of gzip files: ISA-L alone, into one small buffer, on one thread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <unistd.h>

namespace rankscope {

/// Decompresses the first member of a gzip file, with the checks that any reader makes. Returns the bytes of its text.
inline double inflate_alone(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY);
    std::vector<std::uint8_t> in(1 << 18), out(1 << 20);
    inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    state.avail_in = 0;
    double total = 0;
    while (state.block_state != ISAL_BLOCK_FINISH) {
        if (state.avail_in == 0) {
            const ssize_t got = ::read(descriptor, in.data(), in.size());
            if (got <= 0)
                break;
            state.next_in = in.data();
            state.avail_in = static_cast<std::uint32_t>(got);
        }
        state.next_out = out.data();
        state.avail_out = static_cast<std::uint32_t>(out.size());
        if (isal_inflate(&state) != ISAL_DECOMP_OK)
            break;
        total += static_cast<double>(out.size() - state.avail_out);
    }
    ::close(descriptor);
    return total;
}

} // namespace rankscope
