/**
 * What the package depends on, to the byte: of our own lock the part that its dependencies lead to, as the tarball carries it.
 * @returns {{ name: string, version: string, lockfileVersion: number, requires: boolean, packages: Record<string, any> }}
 * @param {{ lock: { packages: Record<string, any> }, manifest: { name: string, version: string, dependencies: Record<string, string> } }} given
 */
export function toShrinkwrap({ lock, manifest }) {
  /** @type {Record<string, any>} */
  const packages = {}
  const left = Object.keys(manifest.dependencies).map((name) => ({ name, from: '', isOptional: false }))
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const path = placeOf(lock.packages, next)
    if (path === undefined && next.isOptional) continue
    if (path === undefined) throw new Error(`The lock has no ${next.name}`)
    if (packages[path] !== undefined) continue
    const { dev: _dev, devOptional: _devOptional, peer: _peer, ...entry } = lock.packages[path]
    packages[path] = entry
    for (const name of Object.keys(entry.dependencies ?? {}))
      left.push({ name, from: path, isOptional: false })
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      left.push({ name, from: path, isOptional: true })
  }
  const { name, version, dependencies } = manifest
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name, version, dependencies }, ...sorted },
  }
}

/**
 * Where Node finds a package from there: in the nearest folder above.
 * @param {Record<string, unknown>} packages
 * @param {{ name: string, from: string }} wanted
 */
function placeOf(packages, { name, from }) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (folder === '') return undefined
  }
}
