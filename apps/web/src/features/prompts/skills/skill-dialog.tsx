import type { ListedPrompt, Skill, SkillPart } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { SkillFetches } from './skill-fetches.tsx'
import { type SkillFile, SkillFiles } from './skill-files.tsx'
import { skillQuery, useSaveSkill } from './skills.queries.ts'

export interface SkillDialogProps {
  prompt: ListedPrompt
  onClose: () => void
}

/** Whether agents load a prompt as a skill, and what lies beside it; for its editors. */
export default function SkillDialog({ prompt, onClose }: SkillDialogProps) {
  const { id, title, slug } = prompt
  const { data: stored, error, refetch } = useQuery({ ...skillQuery(id), gcTime: 0 })
  const save = useSaveSkill()
  const form = useSkillForm(stored)
  const submit = (skill: Parameters<typeof save.mutate>[0]['skill']) =>
    save.mutate(
      { id, skill },
      {
        onSuccess: () => {
          const description =
            skill === null ? `“${title}” is no skill any more.` : `Agents load “${title}” as ${slug}.`
          toast({ title: skill === null ? 'Skill ended' : 'Skill saved', description })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Skill"
      description={`Agents that connect by MCP load “${title}” as SKILL.md when the description fits. It goes by its labels: moving one reaches every agent.`}
      onSubmit={(event) => {
        event.preventDefault()
        submit(form.fields)
      }}
      submitLabel={stored ? 'Save Changes' : 'Serve as Skill'}
      pendingLabel="Saving..."
      pending={save.isPending}
      submitDisabled={stored === undefined || form.fields.description === ''}
      dirty={form.isDirty}
      error={save.error && errorMessage(save.error)}
      footerStart={
        stored && (
          <Button type="button" variant="ghost" disabled={save.isPending} onClick={() => submit(null)}>
            End skill
          </Button>
        )
      }
    >
      {error && (
        <ErrorState title="The skill could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!error && stored === undefined && <Skeleton className="h-40" />}
      {stored !== undefined && (
        <>
          <Field label="Description" hint="What it does and when to use it. Agents choose by it.">
            <Textarea
              rows={3}
              maxLength={1024}
              value={form.description}
              onChange={({ target }) => form.setDescription(target.value)}
            />
          </Field>
          <SkillFiles files={form.files} onChange={form.setFiles} onAdd={form.addFile} />
          {stored && <SkillFetches promptId={id} />}
        </>
      )}
    </FormDialog>
  )
}

/** What is typed, begun from what is stored. */
function useSkillForm(stored: Skill | null | undefined) {
  const [typed, setTyped] = useState<{ description?: string; files?: readonly SkillFile[] }>({})
  const nextKey = useRef(-1)
  const description = typed.description ?? stored?.description ?? ''
  const files = typed.files ?? (stored?.parts ?? []).map(toFile)
  return {
    description,
    files,
    isDirty: Object.keys(typed).length > 0,
    fields: { description: description.trim(), parts: files.map(toPart) },
    setDescription: (description: string) => setTyped((before) => ({ ...before, description })),
    setFiles: (files: readonly SkillFile[]) => setTyped((before) => ({ ...before, files })),
    addFile: (source: SkillFile['source']) => {
      const key = nextKey.current
      nextKey.current -= 1
      setTyped((before) => ({ ...before, files: [...files, { key, path: '', source }] }))
    },
  }
}

function toFile({ path, variable, promptId, title }: Skill['parts'][number], key: number): SkillFile {
  const source = promptId === null ? { variable: variable ?? '' } : { prompt: { id: promptId, title } }
  return { key, path, source }
}

/** Without a source the server says what is missing. */
function toPart({ path, source }: SkillFile): SkillPart {
  const trimmed = path.trim()
  if ('variable' in source) return { path: trimmed, variable: source.variable.trim() }
  return source.prompt === null ? { path: trimmed } : { path: trimmed, promptId: source.prompt.id }
}
