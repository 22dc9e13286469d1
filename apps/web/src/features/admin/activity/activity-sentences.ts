import type { ActivityKind, ActivityObject, ActivityRow } from '@catenary/contracts'

/** What was done, as one is asked to do it; `…` stands for the object's name. */
const DONE: Record<ActivityKind, string> = {
  'account.changed': 'change their settings',
  'account.created': 'create the account …',
  'account.disabled': 'disable the account …',
  'account.enabled': 'enable the account …',
  'account.password_changed': 'change their password',
  'account.password_reset': 'set a new password for …',
  'account.quotas_changed': 'change the limits of …',
  'account.role_changed': 'change the role of …',
  'account.session_ended': 'end a session of …',
  'account.sessions_ended': 'end the other sessions of …',
  'account.signed_in': 'sign in',
  'account.signed_out': 'sign out',
  'activity.exported': 'export the activity',
  'ask.answered': 'answer the ask …',
  'ask.expired': 'let the deadline decide the ask …',
  'backup.deleted': 'delete the backup …',
  'backup.downloaded': 'download the backup …',
  'backup.made': 'make a backup',
  'backup.tried': 'test the backup …',
  'category.created': 'create the category …',
  'category.deleted': 'delete the category …',
  'category.merged': 'merge the category …',
  'category.renamed': 'rename the category …',
  'chain.acceptance_ended': 'remove the shared chain … from their tokens',
  'chain.accepted': 'allow their tokens the shared chain …',
  'chain.call_allowed': 'allow a changed call of the chain …',
  'chain.changed': 'change the chain …',
  'chain.created': 'create the chain …',
  'chain.deleted': 'delete the chain …',
  'chain.duplicated': 'copy the chain …',
  'chain.owner_changed': 'become the owner of the chain …',
  'chain.owner_offer_ended': 'end the offer of the chain …',
  'chain.owner_offered': 'offer the chain … to another person',
  'chain.run_share_ended': 'stop sharing their runs of the chain …',
  'chain.runs_shared': 'share their runs of the chain …',
  'chain.selection_corrected': 'correct a choice of the chain …',
  'chain.shares_changed': 'change who has the chain …',
  'chain.step_added': 'add a step to the chain …',
  'chain.step_changed': 'change a step of the chain …',
  'chain.step_deleted': 'delete a step of the chain …',
  'chain.step_duplicated': 'copy a step of the chain …',
  'chain.steps_reordered': 'reorder the steps of the chain …',
  'chain.version_deleted': 'delete a version of the chain …',
  'chain.version_noted': 'note a version of the chain …',
  'chain.version_restored': 'restore a version of the chain …',
  'evaluation.deleted': 'delete an evaluation …',
  'evaluation.resumed': 'resume an evaluation …',
  'evaluation.started': 'start an evaluation …',
  'evaluation.stopped': 'stop an evaluation …',
  'examples.added': 'add the examples',
  'examples.removed': 'remove the examples',
  'export.downloaded': 'export prompts and chains',
  'file.uploaded': 'upload a file …',
  'folder.pulled': 'pull a folder',
  'folder.pushed': 'push a folder',
  'google_drive.connected': 'connect Google Drive',
  'google_drive.disconnected': 'disconnect Google Drive',
  'google_drive.ended': 'lose the connection to Google Drive',
  'group.changed': 'change the group …',
  'group.created': 'create the group …',
  'group.deleted': 'delete the group …',
  'group.members_changed': 'change the members of …',
  'group.quotas_changed': 'change the limits of the group …',
  'import.made': 'import a file …',
  'import.undone': 'undo an import …',
  'instance.debug_mode_set': 'set debug mode',
  'instance.group_makers_set': 'set who can create groups',
  'instance.retention_set': 'set how long things are kept',
  'instance.tool_savers_set': 'set who can save steps that call services',
  'instance.work_resumed': 'resume the work of a restored copy',
  'label.moved': 'move a label of …',
  'label.protected': 'protect a label',
  'label.unprotected': 'end the protection of a label',
  'mail.asked': 'request a confirmation of their email address',
  'mail.confirmed': 'confirm an email address of …',
  'mail.unsubscribed': 'unsubscribe from emails of …',
  'model.added': 'add the model …',
  'model.changed': 'change the model …',
  'model.list_changed': 'change which models are allowed for …',
  'model.removed': 'remove the model …',
  'model_provider.added': 'add the provider …',
  'model_provider.changed': 'change the provider …',
  'model_provider.key_replaced': 'replace the key of the provider …',
  'model_provider.removed': 'remove the provider …',
  'prompt.acceptance_ended': 'remove the shared prompt … from their tokens',
  'prompt.accepted': 'allow their tokens the shared prompt …',
  'prompt.alias_added': 'add an alias to the prompt …',
  'prompt.alias_removed': 'remove an alias of the prompt …',
  'prompt.changed': 'change the prompt …',
  'prompt.created': 'create the prompt …',
  'prompt.deleted': 'delete the prompt …',
  'prompt.duplicated': 'copy the prompt …',
  'prompt.owner_changed': 'become the owner of the prompt …',
  'prompt.owner_offer_ended': 'end the offer of the prompt …',
  'prompt.owner_offered': 'offer the prompt … to another person',
  'prompt.run_share_ended': 'stop sharing their runs of the prompt …',
  'prompt.runs_deleted': 'delete the runs of the prompt …',
  'prompt.runs_shared': 'share their runs of the prompt …',
  'prompt.shares_changed': 'change who has the prompt …',
  'prompt.skill_removed': 'remove the skill of the prompt …',
  'prompt.skill_saved': 'save the skill of the prompt …',
  'prompt.version_deleted': 'delete a version of the prompt …',
  'prompt.version_noted': 'note a version of the prompt …',
  'prompt.version_restored': 'restore a version of the prompt …',
  'run.deleted': 'delete a run …',
  'run.rated': 'rate a run …',
  'run.rating_removed': 'remove their rating of a run …',
  'run.share_ended': 'stop sharing a run …',
  'run.shared': 'share a run …',
  'run.stopped': 'stop a run …',
  'schedule.changed': 'change the schedule …',
  'schedule.created': 'create the schedule …',
  'schedule.deleted': 'delete the schedule …',
  'schedules.paused': 'pause or resume all schedules',
  'suite.case_added': 'add a test to …',
  'suite.case_changed': 'change a test of …',
  'suite.case_deleted': 'delete a test of …',
  'suite.case_duplicated': 'copy a test of …',
  'suite.cases_reordered': 'reorder the tests of …',
  'suite.changed': 'change the test suite …',
  'suite.created': 'create the test suite …',
  'suite.deleted': 'delete the test suite …',
  'suite.exported': 'export the test suite …',
  'suite.imported': 'import the test suite …',
  'tag.created': 'create the tag …',
  'tag.deleted': 'delete the tag …',
  'tag.merged': 'merge the tag …',
  'tag.renamed': 'rename the tag …',
  'token.changed': 'change the token …',
  'token.created': 'create the token …',
  'token.deleted': 'delete the token …',
  'token.revealed': 'copy the value of the token …',
  'token.rotated': 'rotate the token …',
  'variable.changed': 'change the variable …',
  'variable.created': 'create the variable …',
  'variable.deleted': 'delete the variable …',
  'variable.owner_changed': 'become the owner of the variable …',
  'variable.owner_offer_ended': 'end the offer of the variable …',
  'variable.owner_offered': 'offer the variable … to another person',
  'view.created': 'save the view …',
  'view.deleted': 'delete the view …',
  'webhook.changed': 'change a webhook …',
  'webhook.created': 'create a webhook …',
  'webhook.deleted': 'delete a webhook …',
  'webhook.rotated': 'rotate the secret of a webhook …',
}

const REFUSED = '_refused'
const REFUSALS: Record<string, string> = {
  'account.signed_in': 'failed to sign in',
  'account.call': 'was refused a page for administrators',
  'token.call': 'was refused with the token …',
  'chain.run': 'was not allowed to run the chain …',
}

const IRREGULAR: Record<string, string> = {
  become: 'became',
  copy: 'copied',
  lose: 'lost',
  make: 'made',
  set: 'set',
  stop: 'stopped',
  undo: 'undid',
  'pause or resume': 'paused or resumed',
}

interface Sentence {
  /** Before and after the object's name; `null`: it is not named. */
  before: string
  name: string | null
  after: string
}

export const isRefused = ({ kind }: Pick<ActivityRow, 'kind'>): boolean => kind.endsWith(REFUSED)

/** Such as ‘changed the prompt’, ‘Refund reply’. A kind that this page does not know is shown as it is. */
export function sentenceOf(row: Pick<ActivityRow, 'kind' | 'object'>): Sentence {
  const { kind, object } = row
  const done = kind.replace(REFUSED, '')
  const known = (DONE as Record<string, string | undefined>)[done]
  const text = isRefused(row)
    ? (REFUSALS[done] ?? `was not allowed to ${known ?? `do ${done}`}`)
    : known === undefined
      ? kind
      : inThePast(known)
  const [before = '', after] = text.split('…')
  const name = after === undefined ? null : nameOf(object)
  return { before: before.trim(), name, after: after?.trim() ?? '' }
}

/** Sign in: signed in. Only the verb changes, which comes first. */
function inThePast(text: string): string {
  const verb = Object.keys(IRREGULAR).find((one) => text.startsWith(`${one} `)) ?? text.split(' ', 1)[0] ?? ''
  const past = IRREGULAR[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)
  return `${past}${text.slice(verb.length)}`
}

function nameOf({ id, name }: ActivityRow['object']): string | null {
  return name ?? (id === null ? null : `#${id}`)
}

export const OBJECT_NAMES: Record<ActivityObject, string> = {
  account: 'Accounts',
  ask: 'Asks',
  backup: 'Backups',
  category: 'Categories',
  chain: 'Chains',
  evaluation: 'Evaluations',
  file: 'Files',
  group: 'Groups',
  import: 'Imports',
  instance: 'Installation',
  label: 'Protected labels',
  model: 'Models',
  model_provider: 'Providers',
  prompt: 'Prompts',
  run: 'Runs',
  schedule: 'Schedules',
  suite: 'Test suites',
  tag: 'Tags',
  token: 'Tokens',
  variable: 'Variables',
  view: 'Saved views',
  webhook: 'Webhooks',
}

const PAGES: Partial<Record<ActivityObject, (id: number) => string>> = {
  chain: (id) => `/chains/${id}`,
  group: (id) => `/settings/groups?group=${id}`,
  prompt: (id) => `/execute/${id}`,
}

/** Where the object can be opened; only one that the reader sees has a name here. */
export function pageOf({ type, id, name }: ActivityRow['object']): string | null {
  return id === null || name === null ? null : (PAGES[type]?.(id) ?? null)
}
