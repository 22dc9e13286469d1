import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { exitCode, forwardSignals } from './lib/process.mjs'
import { ensureProgram, node, root, runMain, tool, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureProgram()
  const start = (/** @type {string} */ cwd, /** @type {string[]} */ args) =>
    spawn(node, args, { cwd, env: toolEnv(), stdio: 'inherit' })
  const children = [
    start(root, ['--watch', '--watch-preserve-output', join('apps', 'server', 'src', 'main.ts')]),
    start(join(root, 'apps', 'web'), [tool('vite')]),
  ]
  forwardSignals(children)
  const codes = await Promise.all(
    children.map(
      (child) =>
        new Promise((resolve) => {
          child.on('exit', (code, signal) => {
            for (const other of children) other.kill('SIGTERM')
            resolve(exitCode(code, signal))
          })
        }),
    ),
  )
  return codes.find((code) => code !== 0 && code < 128) ?? 0
})
