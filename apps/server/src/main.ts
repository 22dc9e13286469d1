#!/usr/bin/env node
import nodeModule from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`Catenary needs Node 22.18 or newer; this is ${process.version}.\n`)
  process.exit(1)
}

// Node 22 calls its own SQLite, which keeps a lock file, experimental; that should not be the first line that a
// newcomer reads.
const warn = process.emitWarning.bind(process) as (...about: unknown[]) => void
process.emitWarning = (...about: unknown[]) => {
  if (about.includes('ExperimentalWarning') && /SQLite/.test(String(about[0]))) return
  warn(...about)
}

// For the format of a module Node reads its package's whole package.json. Drizzle has 400 modules and 179 kB of it,
// which took a third of the start.
nodeModule.registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})

const { runCommand } = await import('./commands/run-command.ts')
await runCommand(process.argv)
