# Flags of every target of ours, and the functions that declare a room, its tests and its fuzz targets.

option(WARMLANE_WERROR "Treat warnings as errors" OFF)
option(WARMLANE_FUZZ "Build the fuzz targets (clang)" OFF)
set(WARMLANE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(WARMLANE_MOLD mold DOC "Links debug builds when present")
mark_as_advanced(WARMLANE_MOLD)

add_library(warmlane_flags INTERFACE)
target_compile_features(warmlane_flags INTERFACE cxx_std_20)
target_compile_options(
    warmlane_flags
    INTERFACE
        -Wall
        -Wextra
        -Wpedantic
        -Wshadow
        -Wconversion
        -fstack-protector-strong
        $<$<BOOL:${WARMLANE_WERROR}>:-Werror>
        $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>
)
target_compile_definitions(
    warmlane_flags
    INTERFACE BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=8
)
target_link_options(warmlane_flags INTERFACE -Wl,-z,relro,-z,now)
target_include_directories(warmlane_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
if(WARMLANE_MOLD)
    target_link_options(warmlane_flags INTERFACE $<$<CONFIG:Debug>:-fuse-ld=mold>)
endif()
if(WARMLANE_SANITIZE)
    target_compile_options(
        warmlane_flags INTERFACE -fsanitize=${WARMLANE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    )
    target_link_options(warmlane_flags INTERFACE -fsanitize=${WARMLANE_SANITIZE})
endif()
if(WARMLANE_FUZZ)
    target_compile_options(warmlane_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# warmlane_room(NAME SOURCES ... DEPENDS ...): one room as a static library. DEPENDS names rooms and libraries;
# link order keeps the rooms' levels honest.
function(warmlane_room name)
    cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS" ${ARGN})
    add_library(warmlane_${name} STATIC ${ROOM_SOURCES})
    target_include_directories(warmlane_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(warmlane_${name} PUBLIC warmlane_flags ${ROOM_DEPENDS})
endfunction()

# warmlane_test(NAME SOURCES ... DEPENDS ...): the unit tests of one room as one doctest executable.
function(warmlane_test name)
    cmake_parse_arguments(TEST "" "" "SOURCES;DEPENDS" ${ARGN})
    add_executable(warmlane_${name}_test ${TEST_SOURCES})
    target_include_directories(warmlane_${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
    target_compile_definitions(
        warmlane_${name}_test PRIVATE WARMLANE_TEST_DATA="${PROJECT_SOURCE_DIR}/test/data"
                                      WARMLANE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    )
    target_link_libraries(warmlane_${name}_test PRIVATE warmlane_test_main ${TEST_DEPENDS})
    doctest_discover_tests(warmlane_${name}_test TEST_PREFIX "${name}: " PROPERTIES LABELS unit TIMEOUT 120)
endfunction()

# warmlane_fuzz(NAME DEPENDS ...): test/fuzz/NAME_fuzz.cpp as one libFuzzer program. As a test it only replays
# its seeds, test/data/fuzz/NAME; scripts/fuzz lets it search.
function(warmlane_fuzz name)
    cmake_parse_arguments(FUZZ "" "" "DEPENDS" ${ARGN})
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}_fuzz.cpp)
        return()
    endif()
    add_executable(warmlane_${name}_fuzz ${name}_fuzz.cpp)
    target_include_directories(warmlane_${name}_fuzz PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
    target_link_libraries(warmlane_${name}_fuzz PRIVATE warmlane_flags ${FUZZ_DEPENDS})
    target_link_options(warmlane_${name}_fuzz PRIVATE -fsanitize=fuzzer)
    add_test(NAME "fuzz seeds: ${name}" COMMAND warmlane_${name}_fuzz -runs=0
                                                ${PROJECT_SOURCE_DIR}/test/data/fuzz/${name}
    )
    set_tests_properties("fuzz seeds: ${name}" PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()

# warmlane_header_check(): compiles each public header alone, included twice, as its own translation unit.
function(warmlane_header_check)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
         ${PROJECT_SOURCE_DIR}/include/warmlane/*.hpp
    )
    set(sources)
    foreach(header IN LISTS headers)
        string(REPLACE "/" "_" unit ${header})
        set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${unit}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\" // NOLINT\n")
        list(APPEND sources ${source})
    endforeach()
    add_library(warmlane_headers OBJECT ${sources})
    target_link_libraries(
        warmlane_headers PRIVATE warmlane_flags Boost::headers Boost::json Boost::url fmt::fmt spdlog::spdlog
                                 yaml-cpp prometheus-cpp::core
    )
endfunction()
