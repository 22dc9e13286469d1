import { expect, test } from 'vitest'
import { notBundled } from './lib/bundle-server.mjs'
import { readJson } from './lib/folders.mjs'
import { toShrinkwrap } from './lib/shrinkwrap.mjs'

const root = (file: string) => new URL(`../${file}`, import.meta.url).pathname

test('the package carries a lock of all that it depends on, as our own lock has it', () => {
  const lock = readJson(root('package-lock.json'))
  const { dependencies } = readJson(root('apps/server/package.json'))
  const manifest = {
    name: 'catenary',
    version: '1.0.0',
    dependencies: Object.fromEntries(notBundled.map((name: string) => [name, dependencies[name]])),
  }
  const { packages } = toShrinkwrap({ lock, manifest })
  const { '': own, ...locked } = packages
  expect(own).toMatchObject({ dependencies: manifest.dependencies })
  for (const name of notBundled) expect(Object.keys(locked)).toContain(`node_modules/${name}`)
  for (const [path, entry] of Object.entries(locked)) {
    expect(entry.integrity, path).toMatch(/^sha512-/)
    expect(entry.version, path).toBe(lock.packages[path].version)
    for (const name of Object.keys(entry.dependencies ?? {})) {
      const ends = Object.keys(locked).filter((other) => other.endsWith(`node_modules/${name}`))
      expect(ends.length, `${path} needs ${name}`).toBeGreaterThan(0)
    }
  }
})

test('a dependency of a dependency is found where Node finds it', () => {
  const entry = (version: string, dependencies = {}) => ({
    version,
    integrity: `sha512-${version}`,
    dependencies,
  })
  const lock = {
    packages: {
      'node_modules/a': entry('1', { b: '2', c: '1' }),
      'node_modules/a/node_modules/b': entry('2'),
      'node_modules/b': entry('1'),
      'node_modules/c': { ...entry('1', { b: '1' }), optionalDependencies: { missing: '1' } },
      'node_modules/unused': entry('1'),
    },
  }
  const manifest = { name: 'catenary', version: '1.0.0', dependencies: { a: '1' } }
  expect(Object.keys(toShrinkwrap({ lock, manifest }).packages)).toEqual([
    ...['', 'node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/b', 'node_modules/c'],
  ])
  expect(() => toShrinkwrap({ lock, manifest: { ...manifest, dependencies: { gone: '1' } } })).toThrow(
    /no gone/,
  )
})
