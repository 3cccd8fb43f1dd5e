# cmake --install build/portable --prefix PREFIX: programs and library (component runtime), what find_package(sinew) needs
# (component development), and the Python module of Debian's interpreter (component python).
if(NOT SINEW_SHARED)
  install(CODE "message(FATAL_ERROR \"This build has no library to install. Use the preset portable, or set SINEW_SHARED.\")")
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(programs sinew_cli)
if(SINEW_MESHER)
  list(APPEND programs sinew_mesh_cli)
endif()
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(TARGETS ${programs} RUNTIME COMPONENT runtime)
install(TARGETS sinew_engine EXPORT sinew_targets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
foreach(level ${sinew_levels})
  if(TARGET sinew_engine_${level})
    install(TARGETS sinew_engine_${level}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-${level} COMPONENT runtime NAMELINK_SKIP)
  endif()
endforeach()
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew COMPONENT runtime)
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew COMPONENT runtime)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

install(DIRECTORY src/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN main EXCLUDE)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
set_target_properties(sinew_engine PROPERTIES EXPORT_NAME sinew)
install(EXPORT sinew_targets FILE sinewTargets.cmake NAMESPACE sinew:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(cmake/sinewConfig.cmake.in "${PROJECT_BINARY_DIR}/generated/sinewConfig.cmake"
  INSTALL_DESTINATION ${package})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/sinewConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/sinewConfig.cmake"
  "${PROJECT_BINARY_DIR}/generated/sinewConfigVersion.cmake" DESTINATION ${package} COMPONENT development)

if(SINEW_PYTHON)
  set(python_packages ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages)
  file(RELATIVE_PATH to_library "/${python_packages}/sinew" "/${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(sinew_python PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
  install(TARGETS sinew_python LIBRARY DESTINATION ${python_packages}/sinew COMPONENT python)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/python/sinew" DESTINATION ${python_packages} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "*.html" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()

include(SinewPackage)
