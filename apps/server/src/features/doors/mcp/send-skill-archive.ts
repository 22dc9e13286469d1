import type { User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { clientOf } from '../../../platform/http/client-name.ts'
import type { HttpReply, HttpRequest } from '../../../platform/http/routes.ts'
import { asFile } from '../../../platform/http/security/as-file.ts'
import { addUse, admitToken, countCall, grantOf } from '../../tokens/tokens.ts'
import { findSkill, tookSkill } from './mcp-skills.ts'
import { SKILL_FILE } from './read-skill-folder.ts'

/** Whose token reads skills; throws for one that doesn't. */
export const admitSkillReader = (ctx: Context, request: HttpRequest): Promise<User> =>
  admitToken(ctx, {
    request,
    require: ({ abilities }) => {
      if (abilities.has('agent') || abilities.has('read')) return
      throw new AppError('forbidden', 'Skills are fetched with a read token or one for agents.')
    },
  })

interface WantedArchive {
  /** `name.zip` */
  file: string
  label: string | undefined
  request: HttpRequest
  reply: HttpReply
  signal: AbortSignal
}

/** A skill as a folder, for who has no client that knows skills. */
export async function sendSkillArchive(
  ctx: Context,
  { file, label, request, reply, signal }: WantedArchive,
): Promise<HttpReply> {
  const grant = grantOf(request)
  await countCall(ctx, grant)
  const client = clientOf(request)
  const name = file.slice(0, -'.zip'.length)
  const found = await findSkill(ctx, { call: { grant, signal }, name, label })
  addUse(ctx, { tokenId: grant.tokenId, calls: 1, client })
  if (found === undefined) throw new AppError('not_found', 'This token reaches no such skill')
  const { folder } = found
  const { writeSkillArchive } = await import('./skill-archive.ts')
  const zip = await writeSkillArchive({ name: found.name, files: folder.files })
  tookSkill(ctx, { grant, client, folder, path: SKILL_FILE })
  reply.header('x-prompt-version', `${folder.version}`)
  if (folder.label !== null) reply.header('x-prompt-label', folder.label)
  // As bytes it passes the schema by.
  return asFile(reply, { name: `${found.name}.zip`, type: 'application/zip' }).send(Buffer.from(zip))
}
