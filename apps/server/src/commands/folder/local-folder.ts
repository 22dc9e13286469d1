import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { StartError } from '../../errors.ts'
import { ALL_BYTES_MAX, FILE_BYTES_MAX, FILES_MAX, FOLDER_PATH, type Texts } from './folder-texts.ts'

const PARTS = ['prompts', 'chains', 'suites']
const DEPTH_MAX = 4
const LOCK = 'catenary.lock'
const LOCK_HEAD = `# What the server had when this folder was last pulled or pushed: 'catenary push' compares with it.
# Keep it in Git. Its lines are those of sha256sum.
`
const LOCK_LINE = /^([0-9a-f]{64}) {2}(\S+)$/

/** The files of a folder, and those that stand where they should not. Throws `StartError` for links and what is too large. */
export async function readLocal(folder: string): Promise<{ texts: Texts; strange: string[] }> {
  const texts: Texts = new Map()
  const strange: string[] = []
  let left = ALL_BYTES_MAX
  await requireFolder(folder)
  const walk = async (path: string, depth: number): Promise<void> => {
    const state = await lstat(path).catch(() => undefined)
    if (state === undefined) return
    const name = relative(folder, path).split(sep).join('/')
    if (state.isSymbolicLink()) throw new StartError(`${name} is a link: links are not followed`)
    if (state.isDirectory()) {
      if (depth > DEPTH_MAX) return void strange.push(name)
      for (const each of (await readdir(path)).sort()) await walk(join(path, each), depth + 1)
      return
    }
    if (!state.isFile() || !FOLDER_PATH.test(name)) return void strange.push(name)
    left -= state.size
    if (state.size > FILE_BYTES_MAX || left < 0) throw new StartError(`${name} is too large`)
    if (texts.size >= FILES_MAX) throw new StartError(`A folder can have at most ${FILES_MAX} files`)
    texts.set(name, await readFile(path, 'utf8'))
  }
  for (const part of PARTS) await walk(join(folder, part), 1)
  return { texts, strange }
}

async function requireFolder(folder: string): Promise<void> {
  const state = await lstat(folder).catch(() => undefined)
  if (state?.isDirectory()) return
  throw new StartError(`The folder ${folder} doesn’t exist`)
}

/** Writes a file at a place that `FOLDER_PATH` allows; a link in its way is not followed. */
export async function writeLocal(
  folder: string,
  { path, text }: { path: string; text: string },
): Promise<void> {
  const target = resolve(folder, path)
  const names = path.split('/').slice(0, -1)
  let at = resolve(folder)
  await mkdir(at, { recursive: true })
  for (const name of names) {
    at = join(at, name)
    const state = await lstat(at).catch(() => undefined)
    if (state === undefined) await mkdir(at)
    else if (!state.isDirectory())
      throw new StartError(`${relative(folder, at)} is in the way: it is not a folder`)
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  const file = await open(target, flags, 0o666).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw new StartError(`${path} is a link: links are not followed`)
    throw error
  })
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}

export async function readLock(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, LOCK), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lock = new Map<string, string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [, digest, path] = LOCK_LINE.exec(line) ?? []
    if (digest === undefined || path === undefined || !FOLDER_PATH.test(path)) {
      throw new StartError(`${LOCK}, line ${index + 1}: this is not a digest and a path. Did Git merge it?`)
    }
    lock.set(path, digest)
  }
  return lock
}

/** At once: a reader sees the one before or this. */
export async function writeLock(folder: string, lock: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...lock].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, digest]) => `${digest}  ${path}\n`)
  const target = join(folder, LOCK)
  await mkdir(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}`
  await writeFile(draft, LOCK_HEAD + lines.join(''), { flag: 'wx' })
  await rename(draft, target)
}
