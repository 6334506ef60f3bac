# An app that connects with the official Python client: python connect.py <server> <port> [<URL of its metadata document>]
# It prints the address for the person's browser, lists the tools, and lists them again with a renewed token.
import asyncio
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import ClientSession
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata


class Storage:
    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def listen(port):
    """Listens for the browser to come back. Returns the server, and a future of the parameters of its address."""
    arrived = asyncio.get_running_loop().create_future()

    async def answer(reader, writer):
        path = (await reader.readline()).split()[1].decode()
        if path.startswith("/callback?") and not arrived.done():
            arrived.set_result({name: values[0] for name, values in parse_qs(urlparse(path).query).items()})
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nYou can close this page.")
        await writer.drain()
        writer.close()

    return await asyncio.start_server(answer, "127.0.0.1", port), arrived


async def main(server, port, document):
    storage = Storage()
    metadata = OAuthClientMetadata(
        client_name="Python assistant",
        redirect_uris=[f"http://127.0.0.1:{port}/callback"],
        token_endpoint_auth_method="none",
    )
    waiting = []

    async def open_browser(address):
        waiting.append(await listen(port))
        print(address, flush=True)

    async def wait_for_answer():
        listener, arrived = waiting.pop()
        async with listener:
            answer = await arrived
        return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))

    auth = OAuthClientProvider(server, metadata, storage, open_browser, wait_for_answer, document)
    async with httpx2.AsyncClient(auth=auth, timeout=60) as http, streamable_http_client(server, http_client=http) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            print("tools:", len((await session.list_tools()).tools))
            first = storage.tokens.refresh_token
            auth.context.token_expiry_time = 1
            await session.list_tools()
            print("renewed:", storage.tokens.refresh_token != first)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None))
