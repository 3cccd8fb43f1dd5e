# Everything comes from Debian packages (packages.txt); nothing is downloaded.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(Boost 1.70 REQUIRED)  # headers alone: Beast

find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(AMD_LIBRARY amd REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
# Debian's package for CMake asks for programs that it does not depend on.
find_path(ZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(ZIP_LIBRARY zip REQUIRED)
find_path(WEBP_INCLUDE_DIR webp/decode.h REQUIRED)
find_library(WEBP_LIBRARY webp REQUIRED)

add_library(sinew_orderings INTERFACE)
target_include_directories(sinew_orderings SYSTEM INTERFACE ${AMD_INCLUDE_DIR} ${METIS_INCLUDE_DIR})
target_link_libraries(sinew_orderings INTERFACE ${AMD_LIBRARY} ${METIS_LIBRARY})

add_library(sinew_hdf5 INTERFACE)
target_include_directories(sinew_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(sinew_hdf5 INTERFACE ${HDF5_C_LIBRARIES})

add_library(sinew_zip INTERFACE)
target_include_directories(sinew_zip SYSTEM INTERFACE ${ZIP_INCLUDE_DIR})
target_link_libraries(sinew_zip INTERFACE ${ZIP_LIBRARY})

add_library(sinew_images INTERFACE)
target_include_directories(sinew_images SYSTEM INTERFACE ${WEBP_INCLUDE_DIR})
target_link_libraries(sinew_images INTERFACE PNG::PNG JPEG::JPEG ${WEBP_LIBRARY})
