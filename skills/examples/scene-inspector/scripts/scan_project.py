"""Walks a folder and reports its scene files: sizes, totals per format, duplicates by content.

Script tool: reads one JSON object from standard input, writes one JSON object to standard output.
"""
import hashlib
import json
import os
import sys
import time

SCENE_EXTENSIONS = {".gltf", ".glb", ".obj", ".fbx", ".usd", ".usda", ".usdc", ".usdz", ".stl", ".ply", ".dae", ".abc"}
SKIPPED_FOLDERS = {"node_modules", "__pycache__"}
MAX_ENTRIES = 200_000
MAX_DEPTH = 32
HASH_LIMIT_BYTES = 1024 ** 3


def walk(root, deadline):
    """Yields (path, size) of scene files; symbolic links are not followed. Returns why it stopped early, if so."""
    seen = 0
    stack = [(root, 0)]
    while stack:
        folder, depth = stack.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if seen > MAX_ENTRIES:
                return "over %d entries" % MAX_ENTRIES
            if time.monotonic() > deadline:
                return "the time budget was used up"
            try:
                if entry.is_dir(follow_symlinks=False):
                    if depth < MAX_DEPTH and entry.name not in SKIPPED_FOLDERS and not entry.name.startswith("."):
                        stack.append((entry.path, depth + 1))
                elif entry.is_file(follow_symlinks=False):
                    if os.path.splitext(entry.name)[1].lower() in SCENE_EXTENSIONS:
                        yield entry.path, entry.stat(follow_symlinks=False).st_size
            except OSError:
                continue
    return None


def digest(path):
    """SHA-256 of a file; None when it cannot be read."""
    sha = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1024 * 1024), b""):
                sha.update(block)
    except OSError:
        return None
    return sha.hexdigest()


def duplicates(files, deadline):
    """Groups of files with equal content; only files of equal size are hashed."""
    by_size = {}
    for path, size in files:
        if 0 < size <= HASH_LIMIT_BYTES:
            by_size.setdefault(size, []).append(path)
    groups = []
    for size, paths in sorted(by_size.items(), reverse=True):
        if len(paths) < 2:
            continue
        by_hash = {}
        for path in paths:
            if time.monotonic() > deadline:
                return groups, False
            by_hash.setdefault(digest(path), []).append(path)
        for sha, same in by_hash.items():
            if sha is not None and len(same) > 1:
                groups.append({"sha256": sha, "bytes": size, "paths": same, "wasted_bytes": size * (len(same) - 1)})
    return groups, True


def fail(code, message):
    return {"success": False, "message": message, "error": code, "context": {}}


def scan(arguments):
    folder = arguments.get("folder")
    if not isinstance(folder, str) or not folder or "\0" in folder:
        return fail("invalid_path", 'Argument "folder" must be the absolute path of a folder.')
    root = os.path.abspath(folder)
    if not os.path.isdir(root):
        return fail("folder_not_found", "There is no folder at %s. Check the spelling and give an absolute path." % root)
    limit = arguments.get("limit", 50)
    deadline = time.monotonic() + float(arguments.get("time_budget_secs", 20))

    files = []
    stopped = None
    scanner = walk(root, deadline)
    while True:
        try:
            files.append(next(scanner))
        except StopIteration as end:
            stopped = end.value
            break
    formats = {}
    for path, size in files:
        row = formats.setdefault(os.path.splitext(path)[1].lower().lstrip("."), {"files": 0, "bytes": 0})
        row["files"] += 1
        row["bytes"] += size
    groups, hashed_all = ([], False)
    if arguments.get("find_duplicates", True):
        groups, hashed_all = duplicates(files, deadline)
    total = sum(size for _, size in files)
    wasted = sum(group["wasted_bytes"] for group in groups)
    message = "%d scene files, %.1f MB; %d sets of duplicates waste %.1f MB." % (
        len(files), total / 1024 ** 2, len(groups), wasted / 1024 ** 2)
    if stopped is not None:
        message += " The scan is incomplete: %s." % stopped
    largest = sorted(files, key=lambda item: (-item[1], item[0]))[: int(limit)]
    return {
        "success": True,
        "message": message,
        "error": None,
        "context": {
            "folder": root,
            "files": len(files),
            "bytes": total,
            "formats": formats,
            "largest": [{"path": path, "bytes": size} for path, size in largest],
            "duplicates": groups[: int(limit)],
            "wasted_bytes": wasted,
            "complete": stopped is None and (hashed_all or not arguments.get("find_duplicates", True)),
        },
    }


def main():
    try:
        arguments = json.loads(sys.stdin.read() or "{}")
    except ValueError:
        arguments = None
    answer = scan(arguments) if isinstance(arguments, dict) else fail("invalid_arguments", "Arguments must be a JSON object.")
    # Undecodable file names become replacement characters instead of an error.
    sys.stdout.write(json.dumps(answer, ensure_ascii=True))


if __name__ == "__main__":
    main()
