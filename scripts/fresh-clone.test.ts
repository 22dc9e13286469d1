import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const clone = mkdtempSync(join(tmpdir(), 'catenary-fresh-'))
const filter = (file: string) => !/node_modules$|\.test\.ts$/.test(file)
for (const path of ['scripts', 'package.json', 'package-lock.json', 'bench/lib'])
  cpSync(join(root, path), join(clone, path), { recursive: true, filter })
afterAll(() => rmSync(clone, { recursive: true, force: true }))

const commands: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

test.each(Object.entries(commands))('in a fresh clone `npm run %s` begins by installing', (_, command) => {
  const args = command.split(' ').slice(1)
  // npm is not there, so that it ends where npm would begin.
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, env: {}, encoding: 'utf8' })
  expect(`${stdout}${stderr}`).toMatch(/^Installing .+ …\n.*npm ci failed with code 127/s)
})
