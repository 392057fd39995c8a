# One sweep as a Snakemake workflow: a rule for each shard, and one that merges them.
#   snakemake --snakefile docs/examples/sweep.snakefile --cores 8 --rerun-incomplete
SHARDS = 16

rule sweep:
    input:
        expand("sweep.{shard}.csv", shard=range(1, SHARDS + 1))
    output:
        "sweep.csv"
    shell:
        "rwa sweep --merge {input} -o {output}"

rule shard:
    output:
        "sweep.{shard}.csv"
    threads: 2
    shell:
        "rwa sweep --nodes 64..1024 --wavelengths 4..64 --threads {threads} --quiet"
        " --shard {wildcards.shard}/" + str(SHARDS) + " -o {output}"
