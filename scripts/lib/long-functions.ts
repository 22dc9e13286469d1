import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProduction } from './sources.ts'
import { tool } from './toolchain.mjs'

const RULE = 'lint/complexity/noExcessiveLinesPerFunction'

export interface LongFunction {
  file: string
  line: number
  lines: number
}

interface Report {
  diagnostics: {
    category: string
    message: string
    location: { path: string; start: { line: number } }
  }[]
}

/** The production functions over so many lines, as biome's rule counts them. */
export function findLongFunctions({ root, over }: { root: string; over: number }): LongFunction[] {
  const config = mkdtempSync(join(tmpdir(), 'catenary-lines-'))
  try {
    const rule = { level: 'error', options: { maxLines: over } }
    const rules = { recommended: false, complexity: { noExcessiveLinesPerFunction: rule } }
    writeFileSync(join(config, 'biome.json'), JSON.stringify({ linter: { rules } }))
    const folders = globSync('{apps,packages}/*/src', { cwd: root })
    const options = ['--config-path', config, '--max-diagnostics=none', '--reporter=json']
    const { stdout } = spawnSync(process.execPath, [tool('@biomejs/biome'), 'lint', ...options, ...folders], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    const { diagnostics }: Report = JSON.parse(stdout)
    return diagnostics
      .filter(({ category, location }) => category === RULE && isProduction(location.path))
      .map(({ message, location }) => ({
        file: location.path,
        line: location.start.line,
        lines: Number(/\((\d+)\)/.exec(message)?.[1]),
      }))
  } finally {
    rmSync(config, { recursive: true, force: true })
  }
}
