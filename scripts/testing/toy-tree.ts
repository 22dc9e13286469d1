import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Writes files into a new directory; a path that ends in `/` is a link to the directory that it names. */
export function makeToyTree(files: Record<string, string>): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'catenary-rules-'))
  for (const [name, content] of Object.entries(files)) {
    const target = join(path, name)
    mkdirSync(dirname(target), { recursive: true })
    if (name.endsWith('/')) symlinkSync(join(path, content), target.slice(0, -1), 'junction')
    else writeFileSync(target, `${content}\n`)
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs a package's command in a directory and returns its standard output, for any exit code. */
export function runIn(cwd: string, script: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, [script, ...args], options, (_error, stdout) => resolve(stdout))
  })
}
