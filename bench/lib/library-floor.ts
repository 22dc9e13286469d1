import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The plainest page that can show ten thousand cards: no framework, one element a visible card, drawn again on each event.
const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Floor</title>
<style>
  body { margin: 0; font: 14px sans-serif; height: 100vh; display: flex; flex-direction: column }
  #list { position: relative; overflow-y: auto; flex: 1 }
  article { position: absolute; width: 32%; height: 190px; border: 1px solid #ccc; box-sizing: border-box; overflow: hidden }
</style>
<input aria-label="Search prompts" type="search">
<div id="list" aria-label="Prompts"><div id="space"></div></div>
<script>
  const list = document.querySelector('#list'), space = document.querySelector('#space')
  let all = [], shown = []
  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / 206) - 2)
    const last = first + Math.ceil(list.clientHeight / 206) + 4
    space.style.height = Math.ceil(shown.length / 3) * 206 + 'px'
    space.replaceChildren(...shown.slice(first * 3, last * 3).map((prompt, index) => {
      const card = document.createElement('article')
      card.setAttribute('aria-label', prompt.title)
      card.style.top = (first + Math.floor(index / 3)) * 206 + 'px'
      card.style.left = (index % 3) * 33 + '%'
      const title = document.createElement('h2'), text = document.createElement('p'), box = document.createElement('button')
      title.textContent = prompt.title
      text.textContent = prompt.content.slice(0, 300)
      box.setAttribute('role', 'switch')
      box.textContent = prompt.isActive ? 'on' : 'off'
      box.onclick = () => { prompt.isActive = !prompt.isActive; draw() }
      card.append(title, text, prompt.tags.map((tag) => tag.name).join(' '), box)
      return card
    }))
  }
  list.onscroll = draw
  let timer
  document.querySelector('input').oninput = ({ target }) => {
    clearTimeout(timer)
    timer = setTimeout(() => { shown = all.filter((prompt) => prompt.title.includes(target.value)); draw() }, 300)
  }
  fetch('/api/prompts').then((reply) => reply.json()).then((prompts) => { shown = all = prompts; draw() })
</script>`

/** Serves the floor page and, for it, the list as it was read once. */
export async function startFloorPage({ list }: { list: string }) {
  const server = createServer(({ url }, reply) => {
    const isList = url === '/api/prompts'
    reply.setHeader('content-type', isList ? 'application/json' : 'text/html')
    reply.end(isList ? list : PAGE)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
