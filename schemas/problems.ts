/** What a schema finds wrong with a value, as sentences. Pure. */
import type { ErrorObject } from 'ajv';

export interface Problem {
  /** Dotted path of the field, empty for the whole value. */
  field: string;
  /** A sentence that names the field, for example `"port" must be integer`. */
  message: string;
}

/** Sentences for ajv's findings; at most eight, the rest counted. */
export function explain(found: ErrorObject[]): Problem[] {
  const errors = withoutOtherTypes(found);
  const shown = new Map<string, Problem>();
  let index = 0;
  // Bounded: a hostile value can have a hundred thousand errors.
  for (; index < errors.length && shown.size < 8; index += 1) {
    const problem = problemOf(errors[index] as ErrorObject);
    shown.set(problem.message, problem);
  }
  const more = errors.length - index;
  return more > 0 ? [...shown.values(), { field: '', message: `and ${more} more problems` }] : [...shown.values()];
}

/** Of alternatives only what concerns a value of its type; where it is of none of their types, that in one error. */
function withoutOtherTypes(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    const isChoice = error.keyword === 'anyOf' || error.keyword === 'oneOf';
    const first = isChoice ? kept.findLastIndex(each => !each.schemaPath.startsWith(`${error.schemaPath}/`)) + 1 : 0;
    // What its alternatives say stands right before it.
    const own = isChoice ? kept.splice(first) : [];
    const isType = (each: ErrorObject): boolean => each.keyword === 'type' && each.instancePath === error.instancePath;
    const inside = own.filter(each => !isType(each));
    if (inside.length > 0 || own.length === 0) kept.push(...inside);
    else kept.push({ ...error, message: `must be ${own.map(each => String(each.params.type)).join(' or ')}` });
    if (inside.length > 1 || own.length === 0) kept.push(error);
  }
  return kept;
}

function problemOf(error: ErrorObject): Problem {
  const parent = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const named = (name: string): string => (parent ? `${parent}.${name}` : name);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return {
        field: named(String(params.missingProperty)),
        message: `"${named(String(params.missingProperty))}" is required`,
      };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = named(String(params.additionalProperty ?? params.unevaluatedProperty));
      return { field: name, message: `"${name}" is not a known field` };
    }
    case 'enum':
      return { field: parent, message: `${subject(parent)} must be one of ${JSON.stringify(params.allowedValues)}` };
    case 'const':
      return { field: parent, message: `${subject(parent)} must be ${JSON.stringify(params.allowedValue)}` };
    default:
      return { field: parent, message: `${subject(parent)} ${error.message ?? 'is invalid'}` };
  }
}

const subject = (field: string): string => (field ? `"${field}"` : 'the value');

/** One sentence for a list of problems. */
export function summary(problems: Problem[]): string {
  return problems.map(each => each.message).join('; ');
}
