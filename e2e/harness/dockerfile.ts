import { execFile } from 'node:child_process'
import { chown, cp, glob, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Instruction {
  name: string
  /** `--name=value`, as they stand before the rest. */
  flags: Record<string, string>
  rest: string
}

/** What an image says of the program that runs in it. */
export interface Image {
  /** What would be its root. */
  folder: string
  env: Record<string, string>
  user: string
  directory: string
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
  volumes: string[]
}

/** A Dockerfile's instructions, with their continued lines joined. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '')
  return joined.split('\n').map((line) => {
    const [, name = '', flags = '', rest = ''] = /^([A-Z]+)((?:\s+--[\w-]+=\S+)*)\s+(.*)$/.exec(line) ?? []
    const pairs = flags.matchAll(/--([\w-]+)=(\S+)/g)
    return { name, flags: Object.fromEntries([...pairs].map(([, key, value]) => [key, value])), rest }
  })
}

/** Runs the steps in order, each stage in an empty folder that stands for its root; gives the last stage. */
export async function buildWithoutDocker({
  instructions,
  context,
  folder,
  env,
}: {
  instructions: Instruction[]
  /** What the build may copy from. */
  context: string
  folder: string
  /** In which commands run, beside what the file sets. */
  env: NodeJS.ProcessEnv
}): Promise<Image> {
  const stages = new Map<string, Image>()
  let image = emptyImage(folder)
  for (const { name, flags, rest } of instructions) {
    const place = (path: string) =>
      join(image.folder, path.startsWith('/') ? path : join(image.directory, path))
    if (name === 'FROM') {
      const stage = / AS (\w+)$/.exec(rest)?.[1] ?? 'last'
      image = emptyImage(join(folder, stage))
      await mkdir(image.folder, { recursive: true })
      stages.set(stage, image)
    } else if (name === 'WORKDIR') {
      image.directory = rest
      await mkdir(place('.'), { recursive: true })
    } else if (name === 'COPY') {
      const [target = '', ...sources] = rest.split(/\s+/).reverse()
      const from = flags.from === undefined ? context : folderOf(stages, flags.from)
      for (const source of sources)
        await copy({ from, source, target: place(target), isFolder: /\/$/.test(target) })
      if (flags.chown !== undefined) await giveTo(place(target), flags.chown)
    } else if (name === 'RUN') {
      await run('sh', ['-c', rest], { cwd: place('.'), env: { ...env, ...image.env }, maxBuffer: 2 ** 26 })
    } else applySetting({ image, name, rest })
  }
  return image
}

function applySetting({ image, name, rest }: { image: Image; name: string; rest: string }) {
  if (name === 'ENV')
    Object.assign(image.env, Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('='))))
  else if (name === 'USER') image.user = rest
  else if (name === 'VOLUME') image.volumes.push(rest)
  else if (name === 'ENTRYPOINT') image.entrypoint = JSON.parse(rest)
  else if (name === 'CMD') image.command = JSON.parse(rest)
  else if (name === 'HEALTHCHECK') image.healthcheck = JSON.parse(rest.replace(/^CMD\s+/, ''))
  else if (!['ARG', 'EXPOSE'].includes(name)) throw new Error(`No step '${name}' is known here.`)
}

/** Whether a `.dockerignore` lets a file into the build: its last matching line decides. */
export async function readIgnore(file: string): Promise<(path: string) => boolean> {
  const lines = (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const rules = lines.map((line) => ({
    lets: line.startsWith('!'),
    pattern: toPattern(line.replace(/^!/, '')),
  }))
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.lets ?? true
}

/** A folder's rule holds for what is in it. */
function toPattern(line: string): RegExp {
  const escaped = line.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  const body = escaped.replaceAll('**/', '(?:.*/)?').replaceAll(/(?<!\.)\*/g, '[^/]*')
  return new RegExp(`^${body}(?:/.*)?$`)
}

interface Copy {
  from: string
  source: string
  target: string
  isFolder: boolean
}

/** Copies a folder's content, as Docker does. */
async function copy({ from, source, target, isFolder }: Copy) {
  const pattern = source.replace(/^\//, '')
  const files = pattern.includes('*') ? await Array.fromAsync(glob(pattern, { cwd: from })) : [pattern]
  if (files.length === 0) throw new Error(`There is nothing to copy as ${source}.`)
  for (const file of files) {
    const into = isFolder ? join(target, basename(file)) : target
    await cp(join(from, file), into, { recursive: true, verbatimSymlinks: true })
  }
}

async function giveTo(path: string, owner: string) {
  const [uid = 0, gid = uid] = owner.split(':').map(Number)
  if (process.getuid?.() === 0) await chown(path, uid, gid)
}

function folderOf(stages: Map<string, Image>, name: string): string {
  const stage = stages.get(name)
  if (stage === undefined) throw new Error(`No stage '${name}' stands before.`)
  return stage.folder
}

function emptyImage(folder: string): Image {
  return {
    folder,
    env: {},
    user: '',
    directory: '/',
    entrypoint: [],
    command: [],
    healthcheck: [],
    volumes: [],
  }
}
