"""Where a student's code runs: levels of confinement, staging, disk, clocks."""
