"""What `solve --log-format ioh` and `experiment export` write is read by the field's own packages."""

import os
import subprocess

import pytest

TETROPT = os.environ["TETROPT"]
GRID = """[experiment]
command = solve
repeat = 2
[solve]
instance = bag-10-001, bag-10-002, cheese-2-001
evaluations = 3000
[solve climb]
algorithm = hill
[solve anneal]
algorithm = sa
cooling = 0.001, 0.01
"""


@pytest.fixture(name="store", scope="module")
def fixture_store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    (folder / "g.ini").write_text(GRID)
    store = f"sqlite:{folder}/g.sqlite"
    for words in (["init", str(folder / "g.ini"), "--seed", "1"], ["run", "--quiet"],
                  ["export", "ioh", str(folder / "ioh")], ["export", "coco", str(folder / "coco")]):
        subprocess.run([TETROPT, "experiment", *words, "--store", store], check=True, capture_output=True)
    return folder


def test_ioh(store):
    ioh = pytest.importorskip("iohinspector")
    manager = ioh.DataManager()
    manager.add_folder(str(store / "ioh"))
    overview = manager.overview
    assert len(overview) == 18
    assert set(overview["algorithm_name"]) == {"hill", "sa cooling=0.001", "sa cooling=0.01"}
    assert set(overview["function_name"]) == {"bag-10", "cheese-2"}
    assert set(overview["dimension"]) == {8, 10} and set(overview["instance"]) == {1, 2}
    data = manager.load(monotonic=True, include_meta_data=True)
    assert data["data_id"].n_unique() == 18
    ends = {}
    for row in data.iter_rows(named=True):
        ends[row["data_id"]] = max(row["raw_y"], ends.get(row["data_id"], row["raw_y"]))
        assert row["raw_y"] <= row["best_y"] + 1e-6
    assert all(abs(row["best_y"] - ends[row["data_id"]]) < 1e-6 for row in overview.iter_rows(named=True))


def test_ioh_of_one_run(tmp_path):
    ioh = pytest.importorskip("iohinspector")
    subprocess.run([TETROPT, "solve", "--instance", "bag-10-003", "--seed", "1", "--evaluations", "20000",
                    "--algorithm", "abc", "--quiet", "--log-format", "ioh", str(tmp_path)], check=True,
                   capture_output=True)
    manager = ioh.DataManager()
    manager.add_folder(str(tmp_path))
    assert manager.overview["instance"].to_list() == [3]
    assert manager.overview["evals"].to_list() == [20000]


def test_coco(store):
    cocopp = pytest.importorskip("cocopp")
    for algorithm in ("hill", "sa-cooling=0.001", "sa-cooling=0.01"):
        sets = cocopp.load(str(store / "coco" / algorithm))
        assert sorted((data.funcId, data.dim) for data in sets) == [(1, 10), (2, 8)]
        for data in sets:
            assert all(data.maxevals <= 3000)
            assert all(data.finalfunvals >= 0)
