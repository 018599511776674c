# SPDX-License-Identifier: GPL-3.0-or-later
# rankscope_unity(TARGET [SIZE]): compiles the target's sources in unity files of at most SIZE sources of one folder and those below it
# (core/analysis, widgets/panels ...). Reading headers is most of the cost of a source file, so this halves the time of a build and
# more. Names in anonymous namespaces have to be unique within such a folder.
option(RANKSCOPE_UNITY "Compile the sources of a folder together" ON)

# Folders in which no loop over all events is hot: they draw, write or compare what others computed. In releases -O1 compiles them in
# three quarters of the time of -O3.
set(RANKSCOPE_COLD_FOLDERS core/compare core/demo core/metrics core/remote core/report core/views
  widgets widgets/charts widgets/compare widgets/panels widgets/screens app/command app/settings app/window)

function(rankscope_unity target)
  set(size 10)
  if(ARGC GREATER 1)
    set(size ${ARGV1})
  endif()
  if(NOT RANKSCOPE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_moc/|/qrc_") # generated
  list(SORT sources)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE folder)
    cmake_path(GET folder PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
    string(REGEX REPLACE "^([^/]+/[^/]+)/.*" "\\1" group ${group})
    set(optimisation)
    if(group IN_LIST RANKSCOPE_COLD_FOLDERS)
      set(optimisation $<$<CONFIG:Release>:-O1>)
    endif()
    string(MAKE_C_IDENTIFIER ${group} group)
    set(${group}_optimisation ${optimisation})
    list(APPEND ${group}_sources ${source})
    list(APPEND groups ${group})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH ${group}_sources count)
    # Parts of even size: 11 sources become 6 and 5, not 10 and 1.
    math(EXPR parts "(${count} + ${size} - 1) / ${size}")
    math(EXPR each "(${count} + ${parts} - 1) / ${parts}")
    set(index 0)
    foreach(source IN LISTS ${group}_sources)
      math(EXPR part "${index} / ${each}")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group}_${part})
      math(EXPR index "${index} + 1")
    endforeach()
    # A source with options of its own would not be compiled with others, so the unity files get them.
    foreach(part RANGE ${part})
      set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_${part}_cxx.cxx
        PROPERTIES COMPILE_OPTIONS "${${group}_optimisation}")
    endforeach()
  endforeach()
endfunction()
