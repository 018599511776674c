# SPDX-License-Identifier: GPL-3.0-or-later
# macOS and Windows: what makes the installed folder complete. Written after Qt's and CMake's documentation, and not tried.
if(APPLE)
  set(icon ${PROJECT_BINARY_DIR}/packaging/rankscope.icns)
  set_target_properties(rankscope PROPERTIES MACOSX_BUNDLE ON MACOSX_BUNDLE_INFO_PLIST ${PROJECT_SOURCE_DIR}/packaging/macos/Info.plist.in)
  # iconutil wants these names; it is part of macOS.
  set(iconset ${PROJECT_BINARY_DIR}/packaging/rankscope.iconset)
  set(drawn ${PROJECT_BINARY_DIR}/packaging/icons)
  add_custom_command(OUTPUT ${icon}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${iconset}
    COMMAND ${CMAKE_COMMAND} -E copy ${drawn}/16.png ${iconset}/icon_16x16.png
    COMMAND ${CMAKE_COMMAND} -E copy ${drawn}/32.png ${iconset}/icon_32x32.png
    COMMAND ${CMAKE_COMMAND} -E copy ${drawn}/128.png ${iconset}/icon_128x128.png
    COMMAND ${CMAKE_COMMAND} -E copy ${drawn}/256.png ${iconset}/icon_256x256.png
    COMMAND ${CMAKE_COMMAND} -E copy ${drawn}/512.png ${iconset}/icon_512x512.png
    COMMAND iconutil --convert icns --output ${icon} ${iconset}
    DEPENDS rankscope_packaging VERBATIM)
  add_custom_target(rankscope_icns ALL DEPENDS ${icon})
  install(FILES ${icon} DESTINATION rankscope.app/Contents/Resources)
endif()

if(WIN32)
  # A window program has no console there; this twin is for --batch.
  set_target_properties(rankscope PROPERTIES WIN32_EXECUTABLE ON)
  add_executable(rankscope-batch main.cpp)
  target_link_libraries(rankscope-batch PRIVATE rankscope_app rankscope_flags)
  install(TARGETS rankscope-batch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# macdeployqt, windeployqt
if(Qt6_VERSION VERSION_GREATER_EQUAL 6.5)
  qt_generate_deploy_app_script(TARGET rankscope OUTPUT_SCRIPT deploy_script NO_UNSUPPORTED_PLATFORM_ERROR)
else()
  qt_generate_deploy_app_script(TARGET rankscope FILENAME_VARIABLE deploy_script NO_UNSUPPORTED_PLATFORM_ERROR)
endif()
install(SCRIPT ${deploy_script})
