# SPDX-License-Identifier: GPL-3.0-or-later
"""Read a GraphML file with igraph and networkx, where they are installed: nodes and edges as expected.

Usage: graphs.py FILE NODES EDGES [LABEL of node 0]"""
import sys

path, nodes, edges = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
label = sys.argv[4] if len(sys.argv) > 4 else None
readers = 0
try:
    import networkx
    graph = networkx.read_graphml(path)
    assert graph.number_of_nodes() == nodes, graph.number_of_nodes()
    assert graph.number_of_edges() == edges, graph.number_of_edges()
    assert networkx.is_connected(graph.to_undirected())
    assert label is None or graph.nodes["n0"]["label"] == label
    assert all(data["fibers"] >= 1 for _, _, data in graph.edges(data=True))
    readers += 1
except ImportError:
    print("networkx not found")
try:
    import igraph
    graph = igraph.Graph.Read_GraphML(path)
    assert graph.vcount() == nodes and graph.ecount() == edges, (graph.vcount(), graph.ecount())
    assert graph.is_connected("weak")
    assert label is None or graph.vs[0]["label"] == label
    readers += 1
except ImportError:
    print("igraph not found")
print(f"read by {readers}")
