# Flags of every target of ours, and the two functions that declare a room and its tests.

option(WARMLANE_WERROR "Treat warnings as errors" OFF)
option(WARMLANE_FUZZ "Build the fuzz targets (clang)" OFF)
set(WARMLANE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

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
if(WARMLANE_SANITIZE)
    target_compile_options(
        warmlane_flags INTERFACE -fsanitize=${WARMLANE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    )
    target_link_options(warmlane_flags INTERFACE -fsanitize=${WARMLANE_SANITIZE})
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
