import type { User } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../database/statements/executor.ts'

/** So many are tried: some ask for values, or for what lies outside. */
const CHAINS_TRIED = 5

export interface TrialChain {
  id: number
  name: string
  user: User
}

const OWNER = sql`json_build_object('id', users.id, 'username', users.display_username, 'email', users.email,
  'role', case users.role when 'admin' then 'admin' else 'user' end) as user`

export async function listNewestChains(executor: Executor): Promise<TrialChain[]> {
  const { rows } = await executor.execute<TrialChain & Record<string, unknown>>(sql`
    select chains.id, chains.name, ${OWNER} from chains join users on users.id = chains.owner_id
    where not users.banned and exists (select from chain_steps where chain_id = chains.id)
      and not exists (select from chain_steps where chain_id = chains.id and settings ->> 'kind' in ('ask', 'tool'))
    order by chains.updated_at desc, chains.id desc limit ${CHAINS_TRIED}`)
  return rows
}

/** One of one step, with a person of its own: in a copy, which is thrown away. */
export async function makeUpChain(executor: Executor): Promise<TrialChain> {
  const { rows } = await executor.execute<TrialChain & Record<string, unknown>>(sql`
    with person as (
        insert into users (name, email, username, display_username, role)
        values ('trial', 'trial@localhost', 'trial of a copy', 'trial of a copy', 'admin') returning *
      ), chain as (
        insert into chains (owner_id, name) select id, 'A chain of one step' from person returning *
      ), step as (
        insert into chain_steps (chain_id, position, content, model, output_variable_name)
        select id, 0, 'Say that you are there', (select alias from models order by id limit 1), 'answer' from chain
      )
    select chain.id, chain.name, ${OWNER} from chain join person as users on users.id = chain.owner_id`)
  const [made] = rows
  if (made === undefined) throw new Error('an insert gives its row')
  return made
}
