import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts'

const MODULE = new URL('./directory-lock.ts', import.meta.url).href
// Run with --expose-gc: a lock that only the collector knows of must stay.
const HOLD = `
  import { lockDirectory } from ${JSON.stringify(MODULE)}
  try {
    lockDirectory(process.argv[1])
    await new Promise((resolve) => setTimeout(resolve, 10))
    globalThis.gc()
    console.log('locked')
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.message)
    process.exitCode = 1
  }`

describe('the lock on the data directory', () => {
  let root: string
  let dataDir: string
  const children: ReturnType<typeof spawn>[] = []

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'catenary-lock-'))
    dataDir = path.join(root, 'data')
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  })

  /** Another process tries to take the lock; its first output says whether it did. */
  async function startHolder() {
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', HOLD, dataDir])
    children.push(child)
    const [output] = await once(child.stdout, 'data')
    return { child, output: String(output).trim() }
  }

  it('makes the directory for its owner alone', () => {
    const lock = lockDirectory(dataDir)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    lock.release()
  })

  it('refuses a second process, naming the first and the ways out', async () => {
    const lock = lockDirectory(dataDir)
    const { child, output } = await startHolder()
    expect(output).toContain(`${dataDir} is already in use by process ${process.pid}.`)
    expect(output).toContain('Stop that process, or set DATA_DIR')
    expect(output).toContain('DATABASE_URL')
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(code).toBe(1)
    lock.release()
  })

  it('refuses a second owner within one process', () => {
    const lock = lockDirectory(dataDir)
    expect(() => lockDirectory(dataDir)).toThrow(DirectoryInUseError)
    lock.release()
    lockDirectory(dataDir).release()
  })

  it('is free at once when its owner was killed', async () => {
    const { child, output } = await startHolder()
    expect(output).toBe('locked')
    expect(() => lockDirectory(dataDir)).toThrow(`process ${child.pid}`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDirectory(dataDir).release()
  })

  it('goes to exactly one of many that start when the owner was killed', async () => {
    const { child } = await startHolder()
    child.kill('SIGKILL')
    await once(child, 'exit')
    const starters = await Promise.all(Array.from({ length: 6 }, startHolder))
    expect(starters.filter(({ output }) => output === 'locked')).toHaveLength(1)
  })
})
