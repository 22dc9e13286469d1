import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './package.ts'

const run = promisify(execFile)
const peers = join(root, '.peers')
/** Their programs alone, without the scripts around them; a third of a gigabyte each. */
const packages = [
  '@anthropic-ai/claude-code-linux-x64@2.1.330',
  'codex-linux@npm:@openai/codex@0.169.0-linux-x64',
  'opencode-linux-x64@1.18.33',
]

/** Where each agent's program is, once it is there. */
export const AGENT_PROGRAMS = {
  claude: join(peers, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude'),
  codex: join(peers, 'node_modules/codex-linux/vendor/x86_64-unknown-linux-musl/bin/codex'),
  openCode: join(peers, 'node_modules/opencode-linux-x64/bin/opencode'),
}
/** What a shell needs to find them by their names. */
export const AGENTS_PATH = Object.values(AGENT_PROGRAMS).map(dirname).join(':')
/** They ask nobody but the server. */
export const QUIET_AGENTS = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
}

/** Fetches the programs once. */
export async function ensureAgents(): Promise<void> {
  if (Object.values(AGENT_PROGRAMS).every((program) => existsSync(program))) return
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', peers, ...packages])
}
