import { modelProviders } from '../../database/schema/index.ts'
import { sealedColumn } from '../../database/statements/sealed-columns.ts'
import { contextOf, type KeyColumn } from './provider-keys.ts'

const ofColumn = (what: string, name: KeyColumn) =>
  sealedColumn({
    what,
    id: modelProviders.id,
    column: modelProviders[name],
    beside: { baseUrl: modelProviders.baseUrl },
    contextOf: (provider) => contextOf(provider, name),
  })

export const sealedProviderKeys = [
  ofColumn('keys of providers', 'apiKey'),
  ofColumn('waiting keys of providers', 'newApiKey'),
]
