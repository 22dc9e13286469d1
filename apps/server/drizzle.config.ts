import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/database/schema/index.ts', './src/database/schema/jobs.ts'],
  out: './src/database/migrations',
  casing: 'snake_case',
})
