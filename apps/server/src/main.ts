import { registerHooks } from 'node:module'

// For the format of a module Node reads its package's whole package.json. Drizzle has 400 modules and 179 kB of it,
// which took a third of the start.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})

await import('./program.ts')
