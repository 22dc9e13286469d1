const BY_ID = ['id', 'created_at'] as const

/**
 * What a person deletes for good, by its table: what tells such a row from any other, so that one with the same id that
 * was made later, after a restore, is not taken for it. A trigger notes each that is deleted (`note_deleted`). In the
 * order in which they are deleted again: what refers to others first.
 */
export const DELETED_KINDS: Record<string, readonly string[]> = {
  execution_ratings: ['execution_id', 'user_id', 'rated_at'],
  executions: ['id', 'executed_at'],
  evaluations: BY_ID,
  test_cases: ['id', 'suite_id'],
  test_suites: BY_ID,
  scheduled_runs: BY_ID,
  api_tokens: BY_ID,
  run_shares: BY_ID,
  webhooks: BY_ID,
  chain_versions: BY_ID,
  chains: BY_ID,
  prompt_versions: BY_ID,
  prompts: BY_ID,
  variables: BY_ID,
  categories: BY_ID,
  tags: BY_ID,
  models: BY_ID,
  model_providers: BY_ID,
  /** Links to services: Google’s. */
  accounts: BY_ID,
  users: BY_ID,
}

export const isTime = (column: string): boolean => column.endsWith('_at')
