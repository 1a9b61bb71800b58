/** Python scripts as the public packages have them: those that leave their start to the server, and what they import. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../helper.ts';
import { errorOf, type Heard, rig, run, skill } from './skill.ts';

const started = async (files: Record<string, string>, env: Record<string, string> = {}) => {
  const { runtimes } = await rig({ env: { ...process.env, ...env } });
  return runtimes.start(await skill(files));
};

const guard = `\nif __name__ == "__main__":\n    run_main(main)\n`;
const imports = (names: string, from = 'skill'): string => `from dcc_mcp_core.${from} import ${names}\n`;

test('a script that only defines its entry is called with the arguments, in each of the ways in which it may', async () => {
  const runtime = await started({
    'scripts/plain.py':
      'def main(name, count=1, **_):\n    print("talk")\n    return {"success": True, "message": name * count}\n',
    'scripts/whole.py': 'def main(params):\n    return {"got": params}\n',
    'scripts/other.py': 'from plain import main\n',
    'scripts/alias.py': 'import plain\nmain = plain.main\n',
    'scripts/coro.py': 'async def main(**args):\n    return args\n',
    'scripts/marked.py': `${imports('skill_entry, skill_success')}\n@skill_entry\ndef grow(name, **_):\n    return skill_success(name, n=2)\n`,
    'scripts/near.py':
      'from .plain import main as before\n\ndef main(**args):\n    return before(**args)\n\nif __name__ == "__main__":\n    main()\n',
    'scripts/given.py': 'if "__mcp_params__" in globals():\n    __mcp_result__ = {"given": __mcp_params__["name"]}\n',
    'scripts/bad.py': 'def main(**_):\n    raise ValueError("no mesh")\n',
    'scripts/left.py': 'import sys\n\ndef main(**_):\n    sys.exit(4)\n',
  });
  const said = { success: true, message: 'abab' };
  const same = ['plain', 'other', 'alias', 'near'].map(tool => run(runtime, tool, { name: 'ab', count: 2 }));
  const more = ['whole', 'coro', 'marked', 'given'].map(tool => run(runtime, tool, { name: 'ab' }));
  const [bad, left] = [run(runtime, 'bad'), errorOf(run(runtime, 'left'))];
  expect(await Promise.all(same)).toEqual([said, said, said, said]);
  expect(await Promise.all(more)).toEqual([
    { got: { name: 'ab' } },
    { name: 'ab' },
    expect.objectContaining({ message: 'ab', context: { n: 2 } }),
    { given: 'ab' },
  ]);
  expect(await bad).toMatchObject({ isError: true, content: [{ text: 'Error: no mesh' }, {}] });
  expect((await left).message).toContain('exit code 4');
});

test('a script that starts itself is called by nobody else', async () => {
  const told = 'import json, sys\n\ndef main(**args):\n    print(json.dumps({"runs": args}))\n\n';
  const runtime = await started({
    'scripts/bare.py': `${told}main(**json.load(sys.stdin))\n`,
    'scripts/within.py': `${told}try:\n    main(**json.load(sys.stdin))\nexcept KeyError:\n    pass\n`,
    'scripts/assigned.py': `${told}result = main(**json.load(sys.stdin))\n`,
    'scripts/passed.py': `${told}def go(what):\n    what(**json.load(sys.stdin))\n\ngo(main)\n`,
    'scripts/silent.py': 'import sys\n\ndef main():\n    return {"never": 1}\n\nsys.exit(0 if main() else 1)\n',
  });
  const calls = ['bare', 'within', 'assigned', 'passed'].map(tool => run(runtime, tool, { n: 1 }));
  expect(await Promise.all(calls)).toEqual(calls.map(() => ({ runs: { n: 1 } })));
  expect(await run(runtime, 'silent')).toEqual({ success: true, message: '' });
});

test('scripts that import dcc_mcp_core run without it', async () => {
  const runtime = await started({
    'scripts/good.py': `${imports('run_main, skill_entry, skill_success')}\n@skill_entry\ndef main(n: int, **_):\n    return skill_success("made", prompt="look", items=[n])\n${guard}`,
    'scripts/fails.py': `${imports('skill_entry, skill_error, run_main', 'skills_helper')}\n@skill_entry\ndef main(**_):\n    return skill_error("no scene", "E1", possible_solutions=["open one"])\n${guard}`,
    'scripts/raises.py': `${imports('*')}\n@skill_entry\ndef main(**_):\n    return 1 / 0\n${guard}`,
    'scripts/needs.py': `${imports('*')}\n@skill_entry\ndef main(**_):\n    import maya.cmds\n${guard}`,
    'scripts/inspect.py': `${imports('run_main, skill_success')}\ndef main(**_):\n    return skill_success("looked")\n${guard}`,
    'scripts/rest.py': `${imports('DccBridge', 'bridge')}`,
    'scripts/top.py': 'from dcc_mcp_core import Capturer\n',
    'scripts/more.py': `import json\nfrom dcc_mcp_core import json_dumps, success_result
${imports('AssetDescriptor, AssetFileVariant', 'asset_import')}${imports('SkillHttpError, atomic_write_text, http_get_json, load_json_file', 'skills_helper')}
def main(path, **_):
    asset = AssetDescriptor("a", variants=[AssetFileVariant(str(atomic_write_text(path, json_dumps({"n": 1}))), "obj")])
    asset.validate()
    assert AssetDescriptor.from_dict(asset.to_dict()) == asset
    try:
        http_get_json("file:///etc/passwd")
    except SkillHttpError as error:
        kind = error.kind
    return success_result("made", read=load_json_file(path), asset=asset.to_dict()["variants"], kind=kind).to_dict()
`,
  });
  const rest = { error: null, success: true };
  expect(await run(runtime, 'good', { n: 3 })).toEqual({
    ...{ ...rest, message: 'made', prompt: 'look', context: { items: [3] } },
  });
  expect(await run(runtime, 'inspect')).toMatchObject({ message: 'looked' });
  expect(await run(runtime, 'fails')).toMatchObject({
    ...{ isError: true, content: [{ text: 'no scene' }, {}] },
    structuredContent: { success: false, error: 'E1', context: { possible_solutions: ['open one'] } },
  });
  expect(await run(runtime, 'raises')).toMatchObject({
    ...{ isError: true, content: [{ text: 'Error: division by zero' }, {}] },
    structuredContent: { context: { error_type: 'ZeroDivisionError', traceback: expect.stringContaining('1 / 0') } },
  });
  expect(await run(runtime, 'needs')).toMatchObject({
    content: [{ text: 'The Python module maya is not available' }, {}],
  });
  for (const [tool, name] of [
    ['rest', 'dcc_mcp_core.bridge'],
    ['top', 'dcc_mcp_core.Capturer'],
  ] as const) {
    expect((await errorOf(run(runtime, tool))).message).toMatch(
      new RegExp(`without ${name}: run '.*python.* -m pip install dcc-mcp-core'`),
    );
  }
  const path = join(await tempDir(), 'x.json');
  expect(await run(runtime, 'more', { path })).toMatchObject({
    context: { read: { n: 1 }, asset: [{ local_path: path, format: 'obj' }], kind: 'invalid-url' },
  });
});

test('a cancel is heard by scripts that ask dcc_mcp_core for it', async () => {
  const runtime = await started({
    'scripts/loop.py': `import time\nimport svc_script\nfrom dcc_mcp_core import check_cancelled, CancelledError, skill_error\n
def main(**_):
    svc_script.progress(1)
    done = 0
    try:
        while done < 500:
            check_cancelled()
            svc_script.progress(2 + done)
            time.sleep(0.02)
            done += 1
    except CancelledError:
        svc_script.log("info", "stopped after %d" % done)
    return skill_error("stopped", "cancelled")
`,
  });
  const abort = new AbortController();
  const heard: Heard = { progress: [], logs: [] };
  const call = errorOf(run(runtime, 'loop', {}, { heard, signal: abort.signal }));
  await expect.poll(() => heard.progress.length).toBeGreaterThan(2);
  abort.abort();
  await call;
  await expect.poll(() => heard.logs.map(each => each[1])).toEqual([expect.stringContaining('stopped after')]);
});

test('an installed dcc_mcp_core is used instead of ours', async () => {
  const site = join(await tempDir(), 'site');
  await mkdir(join(site, 'dcc_mcp_core'), { recursive: true });
  await writeFile(join(site, 'dcc_mcp_core', '__init__.py'), 'WHO = "theirs"\n');
  await writeFile(join(site, 'dcc_mcp_core', 'skill.py'), 'WHERE = "there"\n');
  const script = `import json, dcc_mcp_core\n${imports('WHERE')}print(json.dumps([dcc_mcp_core.WHO, WHERE]))\n`;
  const runtime = await started({ 'scripts/who.py': script }, { PYTHONPATH: site });
  expect(await run(runtime, 'who')).toEqual(['theirs', 'there']);
});
