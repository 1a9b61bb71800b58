/** The messages of a declared prompt as MCP has them, their files read from the package. */

import { contentsOf, mediaTypeOf } from '../../schemas/media-type.ts';
import type { PromptMessageDeclaration } from '../../schemas/prompt.ts';
import type { LoadedSkill } from '../skills/api.ts';
import type { PromptMessage } from './declarations.ts';

type Files = Pick<LoadedSkill, 'name' | 'bytes'>;
type Content = PromptMessage['content'];

const largestFile = 1024 * 1024;

function found<T>(file: string, content: T | undefined): T {
  if (content === undefined) throw new Error(`the file ${file.slice(0, 120)} does not exist`);
  return content;
}

async function media(skill: Files, type: 'image' | 'audio', given: NonNullable<PromptMessageDeclaration['image']>) {
  const { file, data, mimeType } = typeof given === 'string' ? { file: given } : given;
  const bytes = file === undefined ? data : found(file, await skill.bytes(file, largestFile)).toString('base64');
  const told = mimeType ?? (file === undefined ? undefined : mediaTypeOf(file));
  if (bytes === undefined) throw new Error(`"${type}" must have a "file" or "data"`);
  if (!told?.startsWith(`${type}/`))
    throw new Error(`"${type}" needs the "mimeType" of ${type === 'image' ? 'an image' : 'a sound'}`);
  return { type, data: bytes, mimeType: told };
}

async function resource(skill: Files, given: NonNullable<PromptMessageDeclaration['resource']>): Promise<Content> {
  const { file, text, mimeType, uri } = typeof given === 'string' ? { file: given } : given;
  const told = mimeType !== undefined && { mimeType };
  if (file !== undefined) {
    const named = uri ?? `skill://${skill.name}/${file.replaceAll('\\', '/')}`;
    return {
      type: 'resource',
      resource: { ...contentsOf(named, file, found(file, await skill.bytes(file, largestFile))), ...told },
    };
  }
  if (uri === undefined || text === undefined) throw new Error('"resource" must have a "file", or a "uri" and "text"');
  return { type: 'resource', resource: { uri, mimeType: 'text/plain', text, ...told } };
}

async function contentOf(skill: Files, message: PromptMessageDeclaration): Promise<Content> {
  const { text, image, audio, resource: embedded, link } = message;
  if (image !== undefined) return media(skill, 'image', image);
  if (audio !== undefined) return media(skill, 'audio', audio);
  if (embedded !== undefined) return resource(skill, embedded);
  if (link !== undefined) return { type: 'resource_link', name: link.uri, ...link };
  return { type: 'text', text };
}

/** Rejects with a sentence on the file that cannot be read, or on what is missing. */
export const messagesOf = (skill: Files, declared: readonly PromptMessageDeclaration[]): Promise<PromptMessage[]> =>
  Promise.all(declared.map(async each => ({ role: each.role, content: await contentOf(skill, each) })));
