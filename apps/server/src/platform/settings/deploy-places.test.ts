import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { environment, PLACE_SETTINGS } from './settings-environment.ts'

const root = path.join(import.meta.dirname, '../../../../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const isBelow = (place: string, folders: string[]) =>
  folders.some((folder) => place === folder || place.startsWith(`${folder}/`))

test('The service’s unit and both compose files let each setting that names a folder be written to, or fix it.', () => {
  const named = Object.keys(environment.shape).filter((name) => /_(DIR|PATH|FOLDER|FILE)$/.test(name))
  expect(named.toSorted()).toEqual([...PLACE_SETTINGS].toSorted())
})

const unit = read('deploy/systemd/catenary.service')
const lines = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

test.each(PLACE_SETTINGS)(
  'the service may write where %s leads, and its unit says how to name another place',
  (name) => {
    expect(lines('ProtectSystem')).toEqual(['strict'])
    const [state] = lines('StateDirectory').map((folder) => `/var/lib/${folder}`)
    const writable = [
      state ?? '',
      ...lines('ReadWritePaths')
        .flatMap((paths) => paths.split(' '))
        .map((each) => each.replace(/^-/, '')),
    ]
    const [own] = lines('Environment').flatMap((set) =>
      set.startsWith(`${name}=`) ? [set.slice(name.length + 1)] : [],
    )
    // Where nothing is set copies are in DATA_DIR.
    if (own !== undefined) expect(isBelow(own, writable)).toBe(true)
    for (const other of ['/mnt/disk/catenary', '/media/disk', '/srv/catenary', '/var/backups/catenary'])
      expect(isBelow(other, writable), other).toBe(true)
    const [, said = ''] = /((?:^#.*\n)+)ReadWritePaths=/m.exec(unit) ?? []
    expect(said).toContain(name)
    expect(said).toContain('systemctl edit')
  },
)

test.each(
  ['compose.yaml', 'compose.scale.yaml'].flatMap((file) => PLACE_SETTINGS.map((name) => ({ file, name }))),
)('in $file, whose root is read only, $name is fixed to a place that takes writes', ({ file, name }) => {
  const [, service = ''] = /^ {2}catenary:\n((?: {3,}.*\n|\n)+)/m.exec(read(file)) ?? []
  expect(service).toMatch(/^ {4}read_only: true$/m)
  const mounted = [...service.matchAll(/^ {6}- \S+:(\/\w+)$/gm)].map(([, folder = '']) => folder)
  const temporary = [...service.matchAll(/^ {6}- (\/tmp)$/gm)].map(([, folder = '']) => folder)
  const own = new RegExp(`^ {6}${name}: (/\\S+)$`, 'm').exec(service)?.[1] ?? ''
  expect(isBelow(own, [...mounted, ...temporary]), `${own} of ${mounted}`).toBe(true)
  // Copies are to last.
  if (name === 'BACKUP_DIR') expect(isBelow(own, mounted)).toBe(true)
})

test('a start that only another setting cures is not tested again by the service, and any other is, for good', () => {
  expect(lines('RestartPreventExitStatus')).toEqual(['78'])
  expect(lines('Restart')).toEqual(['on-failure'])
  expect(lines('StartLimitIntervalSec')).toEqual(['0'])
})
