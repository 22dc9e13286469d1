import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './package.ts'

const run = promisify(execFile)
const environment = join(root, 'node_modules/.cache/python')
const python = join(environment, 'bin/python')
const stampFile = join(environment, '.catenary-install')

/** A Python that has what the file lists and nothing else, made once for it; throws where it can't be had. */
export async function ensurePython(requirements: string): Promise<string> {
  const wanted = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
  const isThere = existsSync(python) && existsSync(stampFile)
  if (isThere && (await readFile(stampFile, 'utf8')) === wanted) return python
  console.log('Installing clients in Python …')
  await rm(environment, { recursive: true, force: true })
  await demand('Python 3.10 or newer with its venv, as python3', 'python3', ['-m', 'venv', environment])
  const pip = (...args: string[]) =>
    demand(`what ${requirements} lists, from PyPI`, python, ['-m', 'pip', ...args])
  await pip('install', '--no-deps', '--only-binary', ':all:', '--requirement', requirements)
  // Says what a package needs that the file does not list.
  await pip('check')
  await writeFile(stampFile, wanted)
  return python
}

async function demand(what: string, command: string, args: string[]): Promise<void> {
  await run(command, args).catch((cause: Error & { stdout?: string }) => {
    const said = [cause.message, cause.stdout].join('\n')
    throw new Error(`The examples in Python need ${what}, which can't be had here:\n${said}`, { cause })
  })
}
