import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * The program of another commit, installed into a folder that later runs reuse; undefined unless BENCH_BASELINE names
 * one. Its results are measured in the same run as today's, as machines differ.
 */
export function baselineProgram(): string | undefined {
  const revision = process.env.BENCH_BASELINE
  if (revision === undefined) return undefined
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--short', `${revision}^{commit}`)
  const folder = join(tmpdir(), `catenary-baseline-${commit}`)
  if (!existsSync(folder)) git('worktree', 'add', '--detach', folder, commit)
  if (!existsSync(join(folder, 'node_modules/.package-lock.json')))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
  return join(folder, 'apps/server/src/main.ts')
}

/** The folder of that commit’s own `bench/lib`. */
export function baselineBenches(): string | undefined {
  const program = baselineProgram()
  return program && join(dirname(program), '../../../bench/lib')
}
