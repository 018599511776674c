# SPDX-License-Identifier: GPL-3.0-or-later
# Where everything goes. The program itself is installed by app/CMakeLists.txt.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
        PATTERN "*.schema.json" PATTERN "*.ipynb")
install(DIRECTORY recording digests DESTINATION ${CMAKE_INSTALL_DATADIR}/rankscope USE_SOURCE_PERMISSIONS)

if(UNIX AND NOT APPLE)
  install(FILES linux/${RANKSCOPE_ID}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${RANKSCOPE_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES linux/${RANKSCOPE_ID}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME ${RANKSCOPE_ID}.xml)
  install(FILES ${logo} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME ${RANKSCOPE_ID}.svg)
  foreach(file IN LISTS icon_files)
    get_filename_component(size ${file} NAME_WE)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps RENAME ${RANKSCOPE_ID}.png)
  endforeach()
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # the package has it compressed
    install(FILES ${pages}/rankscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
  install(FILES ${pages}/rankscope.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rankscope)
  install(FILES ${pages}/_rankscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${pages}/rankscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
else()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
