// Scalar, vector and index types of the whole engine. All quantities are in SI units.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

using Index = std::int32_t;  // numbers of vertices, elements, bodies

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

using Points = Eigen::Matrix3Xd;                                 // 3 x n, contiguous columns [m]
using Tets = Eigen::Matrix<Index, 4, Eigen::Dynamic>;            // 4 x m
using QuadraticTets = Eigen::Matrix<Index, 10, Eigen::Dynamic>;  // 10 x m, corners then nodes on edges
using Triangles = Eigen::Matrix<Index, 3, Eigen::Dynamic>;       // 3 x f
using Edges = Eigen::Matrix<Index, 2, Eigen::Dynamic>;           // 2 x e

}  // namespace sinew
