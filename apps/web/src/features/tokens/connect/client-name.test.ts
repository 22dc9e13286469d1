import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

test.each([
  ['claude-code 2.1.330', 'Claude Code 2.1.330'],
  ['claude-cli 2.1.330', 'Claude Code 2.1.330'],
  ['codex-mcp-client 0.169.0', 'Codex 0.169.0'],
  ['cursor-vscode 3.4.0', 'Cursor 3.4.0'],
  ['Visual Studio Code 1.130', 'VS Code 1.130'],
  ['opencode 1.18.33', 'OpenCode 1.18.33'],
  ['OpenAI JS 6.9.1', 'OpenAI SDK JS 6.9.1'],
  ['Anthropic Python 0.75.0', 'Anthropic SDK Python 0.75.0'],
  ['curl 8.5.0', 'curl 8.5.0'],
  ['node', 'A program in Node.js'],
  ['nodemailer 1', 'nodemailer 1'],
  [' ', 'Unnamed client'],
])('%j is %j', (said, name) => {
  expect(clientName(said)).toBe(name)
})
