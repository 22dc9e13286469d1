import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findContractions, readMigrationsAfter } from './lib/migration-rules.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'apps/server/src/database/migrations')
const { lastMigration } = JSON.parse(readFileSync(join(import.meta.dirname, 'version-before.json'), 'utf8'))

const judge = (sql: string, changelog = '') =>
  findContractions({ migrations: [{ name: '0099_next', sql }], changelog })

test('A migration that the version before would fail at is found, unless it says why.', () => {
  expect(readdirSync(folder)).toContain(`${lastMigration}.sql`)
  const migrations = readMigrationsAfter(folder, lastMigration)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  expect(findContractions({ migrations, changelog })).toEqual([])
})

test.each([
  ['DROP TABLE "prompts";', 'drops prompts'],
  ['drop table if exists prompts cascade', 'drops prompts'],
  ['ALTER TABLE "prompts" DROP COLUMN "title";', 'prompts: drops a column'],
  ['ALTER TABLE "prompts" RENAME COLUMN "title" TO "name";', 'prompts: renames'],
  ['ALTER TABLE "prompts" RENAME TO "texts";', 'prompts: renames'],
  ['ALTER TABLE prompts\n\tALTER COLUMN "id" SET DATA TYPE bigint;', 'prompts: changes a type'],
  ['ALTER TABLE "prompts" ALTER "id" TYPE bigint;', 'prompts: changes a type'],
  [
    'ALTER TABLE "prompts" ALTER COLUMN "note" SET NOT NULL;',
    'prompts: wants a value that may not be written',
  ],
  ['ALTER TABLE "prompts" ALTER COLUMN "note" DROP DEFAULT;', 'prompts: takes a default away'],
  ['ALTER TABLE "prompts" ADD COLUMN "note" text NOT NULL;', 'prompts.note: NOT NULL without a default'],
  [
    'ALTER TABLE prompts ADD COLUMN a numeric(10, 2) default 0, ADD COLUMN b text NOT NULL;',
    'prompts.b: NOT NULL without a default',
  ],
  [
    'ALTER TABLE "prompts" ADD CONSTRAINT "a" CHECK ("title" <> \'\');',
    'prompts: refuses what may be written',
  ],
  ['CREATE UNIQUE INDEX "a" ON "prompts" USING btree ("title");', 'prompts: refuses what may be written'],
  [
    'ALTER TABLE "prompts" DROP CONSTRAINT "a";',
    'prompts: drops a constraint, which may be the target of ON CONFLICT',
  ],
  ['DROP INDEX "a";', 'drops a'],
  ['DROP FUNCTION reference_names(text);', 'drops reference_names'],
  ["ALTER TYPE \"execution_status\" RENAME VALUE 'failed' TO 'broken';", 'renames execution_status'],
  [
    'DO $$ BEGIN IF true THEN ALTER TABLE prompts DROP COLUMN title; END IF; END $$;',
    'prompts: drops a column',
  ],
])('%s is found', (sql, fault) => {
  expect(judge(sql)).toEqual([`0099_next: ${fault}`])
})

test.each([
  'CREATE TABLE "notes" ("id" integer NOT NULL);',
  'ALTER TABLE "prompts" ADD COLUMN "note" text;',
  'ALTER TABLE "prompts" ADD COLUMN "note" text NOT NULL DEFAULT \'\';',
  'ALTER TABLE "prompts" ADD COLUMN "sum" integer GENERATED ALWAYS AS (1) STORED NOT NULL;',
  'CREATE INDEX "a" ON "prompts" USING btree ("title");',
  'ALTER TABLE "prompts" ALTER COLUMN "title" SET DEFAULT \'\';',
  'ALTER TABLE "prompts" ALTER COLUMN "title" DROP NOT NULL;',
  '-- drop table prompts\nSELECT 1;',
])('%s expands', (sql) => {
  expect(judge(sql)).toEqual([])
})

test('what is new since the version before may change at will', () => {
  const made = 'CREATE UNLOGGED TABLE "notes" ("id" integer);--> statement-breakpoint\n'
  expect(
    judge(`${made}ALTER TABLE "notes" DROP COLUMN "id";--> statement-breakpoint\nDROP TABLE "notes";`),
  ).toEqual([])
  const added = 'ALTER TABLE "prompts" ADD COLUMN "note" text;--> statement-breakpoint\n'
  expect(judge(`${added}ALTER TABLE "prompts" DROP COLUMN "note";`)).toEqual([])
})

test('an exception stands above its statement, with its reason, and one that stops the version before in the changelog', () => {
  const drop = 'ALTER TABLE "prompts" DROP COLUMN "title";'
  expect(judge(`-- safe beside the version before: titles moved a version ago\n${drop}`)).toEqual([])
  expect(judge(`-- safe beside the version before:\n${drop}`)).toEqual(['0099_next: prompts: drops a column'])
  const stops = `-- stops the version before: no other way\n${drop}`
  expect(judge(stops)).toEqual(['0099_next: CHANGELOG.md does not name it'])
  expect(judge(stops, 'Stop all processes first: 0099_next drops titles.')).toEqual([])
  const other = `${stops}--> statement-breakpoint\nDROP TABLE "chains";`
  expect(judge(other, '0099_next')).toEqual(['0099_next: drops chains'])
  expect(judge('-- stops the version before: nothing\nSELECT 1;', '0099_next')).toEqual([
    '0099_next: an exception that nothing needs',
  ])
})
