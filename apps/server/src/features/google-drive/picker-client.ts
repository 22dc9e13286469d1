import { addressOf } from '@catenary/contracts'

declare const FILES_PATH: string

interface DriveFile {
  id: string
  name: string
  mimeType: string
  modifiedAt: string | null
}
interface PageOfFiles {
  files: DriveFile[]
  nextPageToken: string | null
}
interface Wanted {
  search: string
  pageToken?: string | undefined
}

function runPicker(): void {
  const SEARCH_DEBOUNCE_MS = 300
  const find = <T extends Element>(id: string) => document.getElementById(id) as unknown as T
  const input = find<HTMLInputElement>('search')
  const list = find<HTMLUListElement>('files')
  const skeleton = find<HTMLElement>('skeleton')
  const more = find<HTMLElement>('more')
  const moreButton = find<HTMLButtonElement>('more-button')
  const empty = find<HTMLElement>('empty')
  const failure = find<HTMLElement>('failure')
  const retry = find<HTMLButtonElement>('retry')
  const status = find<HTMLElement>('status')
  const row = find<HTMLTemplateElement>('row')
  const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

  let call = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: Wanted = { search: '' }
  let failed: Wanted = shown
  let nextPageToken: string | null = null

  const load = async (wanted: Wanted) => {
    call.abort()
    const mine = new AbortController()
    call = mine
    const isFirst = wanted.pageToken === undefined
    failure.hidden = true
    empty.hidden = true
    skeleton.hidden = false
    more.hidden = true
    if (isFirst) list.replaceChildren()
    try {
      const page = await askForFiles(wanted, mine.signal)
      if (page === undefined || mine.signal.aborted) return
      show(page, wanted)
    } catch (error) {
      if (mine.signal.aborted) return
      failed = wanted
      skeleton.hidden = true
      failure.hidden = false
      find('failure-text').textContent = error instanceof Error ? error.message : ''
      if (document.activeElement === document.body) retry.focus()
    }
  }

  const show = (page: PageOfFiles, wanted: Wanted) => {
    shown = wanted
    nextPageToken = page.nextPageToken
    const rows = page.files.map((file) => toRow({ file, row, day, status }))
    list.append(...rows)
    skeleton.hidden = true
    more.hidden = nextPageToken === null
    const count = list.children.length
    empty.hidden = count > 0 || nextPageToken !== null
    find('empty-title').textContent = wanted.search === '' ? 'No text files here yet' : 'No file matches'
    find('empty-text').textContent =
      wanted.search === ''
        ? 'Documents, spreadsheets, presentations and text files from your Google Drive appear here.'
        : `No document or text file has ‘${wanted.search}’ in its name.`
    status.textContent =
      count === 1 ? '1 file' : `${count} files${nextPageToken === null ? '' : ', and more'}`
    if (wanted.pageToken !== undefined) rows[0]?.querySelector('button')?.focus()
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void load({ search: input.value.trim() }), SEARCH_DEBOUNCE_MS)
  })
  moreButton.addEventListener('click', () => {
    if (nextPageToken !== null) void load({ search: shown.search, pageToken: nextPageToken })
  })
  retry.addEventListener('click', () => {
    input.focus()
    void load(failed)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      if (input.value === '') return window.close()
      input.value = ''
      input.focus()
      clearTimeout(timer)
      return void load({ search: '' })
    }
    moveFocus(event, [input, ...list.querySelectorAll('button'), ...(more.hidden ? [] : [moreButton])])
  })

  void load({ search: '' })
}

async function askForFiles({ search, pageToken }: Wanted, signal: AbortSignal) {
  const query = new URLSearchParams({ search })
  if (pageToken !== undefined) query.set('pageToken', pageToken)
  const reply = await fetch(`${FILES_PATH}?${query}`, { signal }).catch(() => {
    throw new Error('The server could not be reached.')
  })
  if (reply.ok) return (await reply.json()) as PageOfFiles
  if (reply.status === 401 || reply.status === 409) return void location.reload()
  const { error } = (await reply.json().catch(() => ({}))) as { error?: string }
  throw new Error(error ?? `The server answered ${reply.status}.`)
}

interface Shown {
  file: DriveFile
  row: HTMLTemplateElement
  day: Intl.DateTimeFormat
  status: HTMLElement
}

function toRow({ file, row, day, status }: Shown): HTMLElement {
  const KINDS: Record<string, { label: string; icon: string }> = {
    'application/vnd.google-apps.document': { label: 'Document', icon: 'document' },
    'application/vnd.google-apps.spreadsheet': { label: 'Spreadsheet', icon: 'spreadsheet' },
    'application/vnd.google-apps.presentation': { label: 'Presentation', icon: 'presentation' },
  }
  const OTHER_KIND = { label: 'Text file', icon: 'text' }
  const item = (row.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement
  const { label, icon } = KINDS[file.mimeType] ?? OTHER_KIND
  const about = file.modifiedAt === null ? label : `${label} · ${day.format(new Date(file.modifiedAt))}`
  item.querySelector('use')?.setAttribute('href', `#icon-${icon}`)
  for (const [part, text] of Object.entries({ name: file.name, about })) {
    const element = item.querySelector(`.${part}`)
    if (element) element.textContent = text
  }
  item.querySelector('button')?.addEventListener('click', () => pick(file, status))
  return item
}

function pick({ id, name, mimeType }: DriveFile, status: HTMLElement): void {
  const { opener } = window
  if (!opener) {
    status.textContent = 'Catenary’s window was closed. Close this one and open the picker again.'
    status.classList.remove('sr-only')
    return
  }
  opener.postMessage({ id, name, mimeType }, location.origin)
  window.close()
}

function moveFocus(event: KeyboardEvent, [input, ...rows]: [HTMLInputElement, ...HTMLElement[]]): void {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
    return
  }
  const stops = [input, ...rows]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(at - 1, 0),
    ...(at === 0 ? {} : { Home: 1, End: stops.length - 1 }),
  }
  const target = stops[targets[event.key] ?? -1]
  if (target === undefined || at < 0) return
  event.preventDefault()
  target.focus()
}

const PARTS = [askForFiles, toRow, pick, moveFocus]

/** Runs in the browser: its functions may use nothing but each other and the address. */
export const PICKER_SCRIPT = `(() => {\nconst FILES_PATH = ${JSON.stringify(addressOf('GET /api/google-drive/files', {}))}\n${PARTS.join('\n')}\n(${runPicker})()\n})()`
