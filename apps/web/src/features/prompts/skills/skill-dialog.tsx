import {
  type ListedPrompt,
  type PromptFetch,
  promptFetch,
  type Skill,
  type SkillPart,
  skill as skillReply,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { api, apiPage } from '../../../lib/api.ts'
import { errorMessage, isGone } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { type SkillFile, SkillFiles } from './skill-files.tsx'

const ROOT = ['prompts', 'skill'] as const
const FETCHES_SHOWN = 5

export interface SkillDialogProps {
  prompt: ListedPrompt
  onClose: () => void
}

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
            skill === null ? `“${title}” is no longer a skill.` : `Agents load “${title}” as ${slug}.`
          toast({ title: skill === null ? 'Skill removed' : 'Skill saved', description })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      onClose={onClose}
      title="Skill"
      description={`Agents load “${title}” as SKILL.md when its description fits. They get the labelled version; moving the label updates them all.`}
      onSubmit={() => submit(form.fields)}
      submitLabel={stored ? 'Save Changes' : 'Serve as Skill'}
      pendingLabel="Saving..."
      pending={save.isPending}
      submitDisabled={stored === undefined || form.fields.description === ''}
      dirty={form.isDirty}
      error={save.error && errorMessage(save.error)}
      footerStart={
        stored && (
          <Button type="button" variant="ghost" disabled={save.isPending} onClick={() => submit(null)}>
            Stop serving as skill
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
          <Field label="Description" hint="What it does and when to use it. Agents choose a skill by this.">
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

function SkillFetches({ promptId }: { promptId: number }) {
  const { data, error } = useQuery(fetchesOfQuery(promptId))
  return (
    <section aria-labelledby="skill-fetches" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h3 id="skill-fetches" className="text-sm font-medium">
        Fetched last
      </h3>
      {error && <p className="text-sm text-danger">This could not be loaded: {errorMessage(error)}</p>}
      {!data && !error && <Skeleton className="h-9" />}
      {data?.length === 0 && <p className="text-sm text-text-3">Nobody has fetched it yet.</p>}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {data.map((fetched) => (
            <Fetch key={fetched.id} fetched={fetched} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Fetch({ fetched: { client, person, version, label, lastAt } }: { fetched: PromptFetch }) {
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-1.5 text-sm">
      <span className="min-w-0 flex-1 basis-[160px] truncate">
        {client === '' ? 'A program' : client} <span className="text-text-3">for {person}</span>
      </span>
      <span className="font-mono text-xs">v{version}</span>
      {label !== null && <Badge>{label}</Badge>}
      <span className="text-text-3">
        <RelativeTime time={lastAt} />
      </span>
    </li>
  )
}

function skillQuery(promptId: number) {
  return queryOptions({
    queryKey: [...ROOT, promptId],
    queryFn: async ({ signal }) => {
      try {
        return await api('GET /api/prompts/{id}/skill', {
          params: { id: promptId },
          reply: skillReply,
          signal,
        })
      } catch (error) {
        if (isGone(error)) return null
        throw error
      }
    },
  })
}

function fetchesOfQuery(promptId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'fetches', promptId],
    queryFn: async ({ signal }) => {
      const { items } = await apiPage('GET /api/prompts/{id}/fetches', {
        params: { id: promptId },
        query: { limit: FETCHES_SHOWN },
        list: promptFetch,
        signal,
      })
      return items
    },
    staleTime: 0,
  })
}

function useSaveSkill() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, skill }: { id: number; skill: { description: string; parts: SkillPart[] } | null }) =>
      skill === null
        ? api('DELETE /api/prompts/{id}/skill', { params: { id } })
        : api('PUT /api/prompts/{id}/skill', { params: { id }, body: skill, reply: skillReply }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
