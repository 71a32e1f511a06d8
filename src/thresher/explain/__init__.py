"""Why a page came out as it did: the evidence for each block, as data and as a report."""
