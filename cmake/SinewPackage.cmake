# The Debian package (scripts/package): what cmake --install installs, with manual pages and completion.

# What the programs print about themselves, as files: sinew --manual, sinew --completion SHELL.
function(sinew_described program target)
  set(folder "${PROJECT_BINARY_DIR}/generated/described")
  file(MAKE_DIRECTORY "${folder}")
  set(manual "${folder}/${program}.1")
  set(bash "${folder}/${program}.bash")
  set(zsh "${folder}/_${program}")
  set(fish "${folder}/${program}.fish")
  add_custom_command(OUTPUT "${manual}.gz" "${bash}" "${zsh}" "${fish}"
    COMMAND $<TARGET_FILE:${target}> --manual > "${manual}"
    COMMAND gzip -9nf "${manual}"
    COMMAND $<TARGET_FILE:${target}> --completion bash > "${bash}"
    COMMAND $<TARGET_FILE:${target}> --completion zsh > "${zsh}"
    COMMAND $<TARGET_FILE:${target}> --completion fish > "${fish}"
    DEPENDS ${target} COMMENT "Manual page and completion of ${program}" VERBATIM)
  add_custom_target(${target}_described ALL DEPENDS "${manual}.gz" "${bash}" "${zsh}" "${fish}")
  install(FILES "${manual}.gz" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
  install(FILES "${bash}" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program}
    COMPONENT runtime)
  install(FILES "${zsh}" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT runtime)
  install(FILES "${fish}" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
endfunction()
sinew_described(sinew sinew_cli)
if(SINEW_MESHER)
  sinew_described(sinew-mesh sinew_mesh_cli)
endif()

# A scene file named *.sinew.json opens in sinew live.
set(desktop "${PROJECT_SOURCE_DIR}/packaging/desktop")
install(FILES "${desktop}/sinew.desktop" DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT runtime)
install(FILES "${desktop}/sinew-mime.xml" DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME sinew.xml
  COMPONENT runtime)
install(FILES "${desktop}/sinew.svg" DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT runtime)

install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulation of contacting hyperelastic solids")
set(CPACK_PACKAGE_DESCRIPTION "sinew simulates rubber, flesh, foam and steel in one scene, with friction.
With its full-space methods, bodies never pass through each other or
themselves. The package holds the programs sinew and sinew-mesh, the Python
module, the library with its headers, and the scenes of the gallery.")
set(CPACK_PACKAGE_CONTACT "The sinew developers <sinew@example.invalid>" CACHE STRING "Maintainer of the Debian package")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")
if(SINEW_PYTHON)  # the module is for one minor version of Python
  get_directory_property(minor DIRECTORY "${PROJECT_SOURCE_DIR}/python" DEFINITION Python_VERSION_MINOR)
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.${minor}), python3 (<< 3.${next}), python3-numpy")
endif()
# What the headers of the library include.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libeigen3-dev, libfmt-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "xdg-utils, libosmesa6, ffmpeg")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/triggers")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
