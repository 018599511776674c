# SPDX-License-Identifier: GPL-3.0-or-later
# cpack -G DEB, from a build configured with CMAKE_INSTALL_PREFIX=/usr (preset `package`).
set(CPACK_PACKAGE_NAME rankscope)
set(CPACK_PACKAGE_VENDOR "The Rankscope maintainers")
set(CPACK_PACKAGE_CONTACT "${RANKSCOPE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "trace explorer for multi-rank GPU jobs")
set(CPACK_PACKAGE_HOMEPAGE_URL "${RANKSCOPE_WEBSITE}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Loaded when they are there, so no shared library names them.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, qt6-translations-l10n, shared-mime-info, hicolor-icon-theme")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6svg6")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "\
Rankscope opens the traces of a job that ran on many GPUs, one file for each
rank, as the PyTorch profiler and Nsight Systems record them. It says what
costs time, which rank holds up the others and why, compares two runs, and
prints the same numbers without a window for continuous integration.")

# Debian's policy wants these compressed, without a time stamp.
set(debian ${CMAKE_CURRENT_BINARY_DIR}/debian)
configure_file(linux/changelog.in ${debian}/changelog @ONLY)
find_program(GZIP_PROGRAM gzip)
if(UNIX AND NOT APPLE AND GZIP_PROGRAM AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  add_custom_command(OUTPUT ${debian}/changelog.gz COMMAND ${GZIP_PROGRAM} -9nkf changelog WORKING_DIRECTORY ${debian} DEPENDS ${debian}/changelog)
  add_custom_command(OUTPUT ${debian}/rankscope.1.gz COMMAND ${GZIP_PROGRAM} -9nc ${pages}/rankscope.1 > ${debian}/rankscope.1.gz
    DEPENDS ${pages}/rankscope.1)
  add_custom_target(rankscope_debian ALL DEPENDS ${debian}/changelog.gz ${debian}/rankscope.1.gz)
  install(FILES linux/copyright ${debian}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${debian}/rankscope.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
include(CPack)
