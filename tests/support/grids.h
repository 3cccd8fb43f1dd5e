// A .vtu file for tests of scenes and of the command line.
#pragma once

namespace sinew::test {

// One tet with a direction and a material id.
inline const char* const one_tet_vtu = R"(<VTKFile type="UnstructuredGrid" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="4" NumberOfCells="1"><CellData>
<DataArray type="Float64" Name="fibre" NumberOfComponents="3" format="ascii">0 3 4</DataArray>
<DataArray type="Int32" Name="MaterialId" format="ascii">5</DataArray>
</CellData><Points>
<DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>
<DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">4</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>)";

}  // namespace sinew::test
