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

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(OPENBLAS_LIBRARY openblas REQUIRED)

add_library(sinew_cholmod INTERFACE)
target_include_directories(sinew_cholmod SYSTEM INTERFACE ${CHOLMOD_INCLUDE_DIR} ${METIS_INCLUDE_DIR})
target_link_libraries(sinew_cholmod INTERFACE ${CHOLMOD_LIBRARY} ${METIS_LIBRARY} ${OPENBLAS_LIBRARY})

add_library(sinew_hdf5 INTERFACE)
target_include_directories(sinew_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(sinew_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
