"""What the forges' tests lean on: a server that answers, goes wrong as told, and remembers."""

import http.client
import json
from typing import Any

import pytest
from check_rows import table_of
from loopback import Asked, Fault, Given, Loopback, paged


def _named(asked: Asked, group: str, name: str) -> Given:
    return Given({"group": group, "name": name, "query": dict(asked.query), "body": asked.body})


def _many(asked: Asked) -> Given:
    return paged(asked, range(5))


ROUTES = {"GET /of/{group}/{name*}": _named, "POST /of/{group}/{name}": _named, "GET /many": _many}


def _ask(server: Loopback, method: str, path: str, body: str = "") -> tuple[int, Any]:
    connection = http.client.HTTPConnection(server.host, timeout=5)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def test_routes_by_method_and_parts_of_the_path() -> None:
    with Loopback(ROUTES, "/api") as server:
        assert _ask(server, "GET", "/api/of/a%2Fb/c/d?x=%20") == (
            200,
            {"group": "a/b", "name": "c/d", "query": {"x": " "}, "body": {}},
        )
        assert _ask(server, "POST", "/api/of/a/b", '{"x": 1}')[1]["body"] == {"x": 1}
        assert _ask(server, "GET", "/api/other") == (404, {"message": "404 Not Found"})
    assert server.lines == ["GET /of/a%2Fb/c/d", "POST /of/a/b", "GET /other"]


def test_tells_of_other_pages() -> None:
    with Loopback(ROUTES, "/api") as server:
        connection = http.client.HTTPConnection(server.host, timeout=5)
        connection.request("GET", "/api/many?per_page=2&page=2")
        response = connection.getresponse()
        assert json.loads(response.read()) == [2, 3]
        connection.close()
    at = f"{server.url}/api/many?per_page=2&page="
    assert response.headers["Link"] == (
        f'<{at}1>; rel="prev", <{at}3>; rel="next", <{at}1>; rel="first", <{at}3>; rel="last"'
    )
    assert response.headers["X-Next-Page"] == "3"


@table_of(
    ("fault", "error"),
    [
        pytest.param(Fault(is_slow=True), TimeoutError, id="slow"),
        pytest.param(Fault(is_cut=True), http.client.IncompleteRead, id="cut"),
        pytest.param(Fault(is_reset=True), http.client.RemoteDisconnected, id="reset"),
        pytest.param(Fault(body=b"<html>"), json.JSONDecodeError, id="not JSON"),
    ],
)
def test_goes_wrong_on_the_wire(fault: Fault, error: type[Exception]) -> None:
    with Loopback(ROUTES) as server:
        server.plant("GET /many", fault)
        connection = http.client.HTTPConnection(server.host, timeout=0.05)
        with pytest.raises(error):
            connection.request("GET", "/many")
            json.loads(connection.getresponse().read())
        connection.close()


def test_goes_wrong_as_often_as_planted() -> None:
    done = []

    def make(asked: Asked) -> Given:
        done.append(asked.body)
        return Given({}, 201)

    with Loopback({"POST /many": make}) as server:
        server.plant("POST *", Fault(502, {"message": "Bad Gateway"}))
        server.plant("POST *", Fault(500, {}, is_done=True))
        given = [_ask(server, "POST", "/many", '{"n": 1}')[0] for _ in range(3)]
    assert (given, done) == ([502, 500, 201], [{"n": 1}] * 2)


def test_refuses_what_its_guard_refuses() -> None:
    def guard(asked: Asked) -> Given | None:
        return None if asked.headers.get("authorization") == "token t" else Given({}, 401)

    with Loopback(ROUTES, guard=guard) as server:
        assert _ask(server, "GET", "/many") == (401, {})


def test_a_failure_of_the_fake_fails_the_test() -> None:
    def broken(_: Asked) -> Given:
        raise LookupError("x")

    with pytest.raises(LookupError), Loopback({"GET /x": broken}) as server:
        assert _ask(server, "GET", "/x") == (
            500,
            {"message": "the fake failed: LookupError('x')"},
        )
