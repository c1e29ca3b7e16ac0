"""The SHA-256 of a result: of all other fields as JSON with sorted keys and no blanks."""

import glob
import hashlib
import json

found, result = [], []
for path in sorted(glob.glob("results/*.json")):
    data = json.load(open(path))
    result.append(data.pop("sha256"))
    found.append(hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest())
print(json.dumps({"found": found, "result": result}))
