Creator "x"
graph [ directed 0 label "G" node [ id 1 label "A" Longitude -3.5 ] node [ id 2 label "B&quot;" ] node [ id 3 ]
edge [ source 1 target 2 length 3.5 LinkLabel "x" ] edge [ source 2 target 3 ] edge [ source 3 target 1 dist "2" ] ]
