"""The order of the test files: those that take long come first, so that no process is left alone with one at the end."""


def pytest_collection_modifyitems(items):
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)
